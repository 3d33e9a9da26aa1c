import { useEffect, useRef } from 'react'

import { isOverlayOpen } from './overlay-open.ts'

/** Under a dialog keys are meant for it. */
export const unlessCovered = (act: () => void) => () => {
  if (!isOverlayOpen()) act()
}

/** Longer than a scanner takes from one character to the next. */
const aloneMs = 120
const modifiers = ['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock']

/** Makes an action of a key wait until no other follows: a scanner types codes that hold the same letters. None acts under a dialog. */
export function useLoneKeys(): (act: () => void) => () => void {
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isFirst = useRef(true)
  useEffect(() => {
    let lastAt = -Infinity
    const hear = ({ key, timeStamp }: KeyboardEvent) => {
      if (modifiers.includes(key)) return
      clearTimeout(pending.current)
      isFirst.current = timeStamp - lastAt > aloneMs
      lastAt = timeStamp
    }
    addEventListener('keydown', hear, { capture: true })
    return () => {
      removeEventListener('keydown', hear, { capture: true })
      clearTimeout(pending.current)
    }
  }, [])
  return (act) => () => {
    if (isFirst.current && !isOverlayOpen()) pending.current = setTimeout(act, aloneMs)
  }
}
