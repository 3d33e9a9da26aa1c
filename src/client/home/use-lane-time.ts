import { useEffect } from 'react'

import { noteGesture, noteTouch, settleTime, useLaneState } from './lane-store.ts'

const touches = ['pointerdown', 'keydown', 'wheel'] as const
const pressable = 'a, button, input, select, textarea, label, summary, [role="option"], [role="menuitem"]'
/** Presses in here are part of scanning: a camera's button, a name in the list. */
const scanning = '[data-scanning]'

/** Lets time pass at the counter while it is shown, and notes touches. */
export function useLaneTime(): void {
  const isWatched = isWatching(useLaneState())
  useEffect(() => {
    if (!isWatched) return undefined
    settleTime()
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
      noteGesture()
    }
  }, [])
}

const settleNow = () => settleTime()
const touchNow = () => noteTouch()

function onClick({ target }: Event): void {
  if (target instanceof Element && target.closest(pressable) && !target.closest(scanning)) noteGesture()
}

const isWatching = ({ chosen, proposed, lines }: ReturnType<typeof useLaneState>): boolean =>
  chosen !== null ||
  proposed !== null ||
  lines.some(({ step }) => step.name === 'asks-reader' && !step.is_over)
