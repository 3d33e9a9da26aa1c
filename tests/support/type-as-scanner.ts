import { fireEvent } from '@testing-library/react'

import { byScanner } from './key-times.ts'

/** Types as a hand-held scanner, which ends with Enter; a prefix makes a short code certain. */
export function typeAsScanner(code: string, target: Element = document.body): void {
  const keys = [...Array.from(code), 'Enter']
  send(keys, byScanner(keys.length), target)
}

/** The same where the scanner stood still for too long within the code. */
export function typeInTwo(head: string, tail: string, target: Element = document.body): void {
  send(Array.from(head), byScanner(head.length), target)
  const keys = [...Array.from(tail), 'Enter']
  send(keys, byScanner(keys.length, 700), target)
}

function send(keys: readonly string[], times: readonly number[], target: Element): void {
  for (const [index, key] of keys.entries()) {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, composed: true })
    Object.defineProperty(event, 'timeStamp', { value: times[index] })
    fireEvent(target, event)
  }
}
