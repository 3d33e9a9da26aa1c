import { isTextField } from '../page/text-field.ts'
import { withhold } from '../page/withheld-keys.ts'
import { typedKeyOf } from './typed-key.ts'
import { createTypedScan, type TypedScanOptions } from './typed-scan.ts'

export interface TypedScanListening extends TypedScanOptions {
  onScan: (text: string) => void
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

interface Held {
  field: Field
  value: string
  selection: [number, number] | null
}

/**
 * Listens to a page for hardware scanners that type, whatever has the focus and whoever wants the scan. The Enter or Tab of a scan never
 * reaches the page, its keys act on nothing that is no text field, and the field it was typed into gets back what it held. Returns how to
 * stop.
 */
export function listenForTypedScans(page: Window, listening: TypedScanListening): () => void {
  const step = createTypedScan(listening)
  let before: Held | null = null

  const onKeyDown = (event: KeyboardEvent): void => {
    const result = step(typedKeyOf(event))
    if (result.kind === 'pass') {
      if (result.first) before = heldBy(event)
      if (result.fast && !isTextField(event.composedPath()[0])) withhold(event)
      return
    }
    withhold(event)
    event.stopImmediatePropagation()
    if (result.kind === 'swallow') return
    if (before !== null) putBack(before)
    before = null
    listening.onScan(result.text)
  }

  // Before anything else on the page hears the key.
  page.addEventListener('keydown', onKeyDown, { capture: true })
  return () => page.removeEventListener('keydown', onKeyDown, { capture: true })
}

function heldBy(event: KeyboardEvent): Held | null {
  const field = event.composedPath()[0]
  if (field instanceof HTMLSelectElement) return { field, value: field.value, selection: null }
  if (!(field instanceof HTMLInputElement) && !(field instanceof HTMLTextAreaElement)) return null
  // Fields of numbers and dates have no selection to tell of.
  const { selectionStart: start, selectionEnd: end } = field
  return { field, value: field.value, selection: start === null || end === null ? null : [start, end] }
}

/** Sets a value as a person would: React hears only of values set through the element's own prototype. */
function putBack({ field, value, selection }: Held): void {
  if (!field.isConnected || field.value === value) return
  const own = Object.getPrototypeOf(field) as object
  Object.getOwnPropertyDescriptor(own, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event('change', { bubbles: true }))
  else if (selection !== null) field.setSelectionRange(...selection)
}
