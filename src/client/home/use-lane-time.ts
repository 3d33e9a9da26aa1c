import { useEffect } from 'react'

import { happen, type LaneView, useLaneView } from './lane-store.ts'

const touches = ['pointerdown', 'keydown', 'wheel'] as const
const pressable = 'a, button, input, select, textarea, label, summary, [role="option"], [role="menuitem"]'
/** Presses in here are part of scanning: a camera's button, a name in the list. */
const scanning = '[data-scanning]'

/** Lets time pass at the counter while it is shown, and notes touches. */
export function useLaneTime(): void {
  const isWatched = isWatching(useLaneView())
  useEffect(() => {
    if (!isWatched) return undefined
    settleNow()
    const timer = setInterval(settleNow, 1_000)
    return () => clearInterval(timer)
  }, [isWatched])
  useEffect(() => {
    const options = { capture: true, passive: true }
    for (const touch of touches) addEventListener(touch, touchNow, options)
    addEventListener('click', onClick, options)
    return () => {
      for (const touch of touches) removeEventListener(touch, touchNow, options)
      removeEventListener('click', onClick, options)
      // Whoever leaves the counter does something else.
      happen({ what: 'gesture' })
    }
  }, [])
}

const settleNow = () => happen({ what: 'time' })
const touchNow = () => happen({ what: 'touch' })

function onClick({ target }: Event): void {
  if (target instanceof Element && target.closest(pressable) && !target.closest(scanning))
    happen({ what: 'gesture' })
}

const isWatching = ({ chosen, proposed, lines }: LaneView): boolean =>
  chosen !== null ||
  proposed !== null ||
  lines.some(({ step }) => step.name === 'asks-reader' && !step.is_over)
