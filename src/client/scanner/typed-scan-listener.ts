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

/** A scan's keys act on nothing, and the field they were typed into gets back what it held. */
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

  page.addEventListener('keydown', onKeyDown, { capture: true })
  return () => page.removeEventListener('keydown', onKeyDown, { capture: true })
}

function heldBy(event: KeyboardEvent): Held | null {
  const field = event.composedPath()[0]
  if (field instanceof HTMLSelectElement) return { field, value: field.value, selection: null }
  if (!(field instanceof HTMLInputElement) && !(field instanceof HTMLTextAreaElement)) return null
  // Number and date fields have no selection.
  const { selectionStart: start, selectionEnd: end } = field
  return { field, value: field.value, selection: start === null || end === null ? null : [start, end] }
}

/** React only hears of values set through the element's own prototype. */
function putBack({ field, value, selection }: Held): void {
  if (!field.isConnected || field.value === value) return
  const own = Object.getPrototypeOf(field) as object
  Object.getOwnPropertyDescriptor(own, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event('change', { bubbles: true }))
  else if (selection !== null) field.setSelectionRange(...selection)
}
