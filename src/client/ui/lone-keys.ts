import { type HotkeyItem, useHotkeys } from '@mantine/hooks'
import { useEffect, useRef } from 'react'

import { isOverlayOpen } from './overlay-open.ts'
import { currentPreferences } from '../page/preferences.ts'
import { isTextField } from '../page/text-field.ts'

/** Under a dialog, keys are the dialog's. */
export const unlessCovered = (act: () => void) => () => {
  if (!isOverlayOpen()) act()
}

/** Longer than a scanner pauses between characters. */
export const aloneMs = 120
const modifiers = ['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock']

/** Keys that act only when typed alone, because scanners type them too; never in a text or under a dialog. */
export function useLoneKeys(
  keys: readonly (readonly [key: string, act: () => void])[],
  pauseMs = aloneMs,
): void {
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isFirst = useRef(true)
  useEffect(() => {
    let lastAt = -Infinity
    const note = ({ key, timeStamp }: KeyboardEvent) => {
      if (modifiers.includes(key)) return
      clearTimeout(pending.current)
      isFirst.current = timeStamp - lastAt > pauseMs
      if (key?.length === 1) lastAt = timeStamp
    }
    addEventListener('keydown', note, { capture: true })
    return () => {
      removeEventListener('keydown', note, { capture: true })
      clearTimeout(pending.current)
    }
  }, [pauseMs])
  const hear = (event: KeyboardEvent, act: () => void) => {
    // With Caps Lock on, a scanner's small letters arrive as capitals.
    const isCapital = event.key !== event.key.toLowerCase()
    if (!currentPreferences().lone_keys || isTextField(event.target) || isCapital) return
    event.preventDefault()
    if (isFirst.current && !isOverlayOpen()) pending.current = setTimeout(act, pauseMs)
  }
  useHotkeys(
    keys.map(([key, act]): HotkeyItem => [key, (event) => hear(event, act), { preventDefault: false }]),
    // In a select, a letter chooses.
    ['SELECT'],
  )
}
