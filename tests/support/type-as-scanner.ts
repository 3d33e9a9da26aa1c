import { fireEvent } from '@testing-library/react'

import { byScanner } from './key-times.ts'

/** Types as a hand-held scanner, which ends with Enter; a prefix makes a short code certain. */
export function typeAsScanner(code: string, target: Element = document.body): void {
  const keys = [...Array.from(code), 'Enter']
  const times = byScanner(keys.length)
  for (const [index, key] of keys.entries()) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true })
    Object.defineProperty(event, 'timeStamp', { value: times[index] })
    fireEvent(target, event)
  }
}
