import { createTypedScan } from './typed-scan.ts'

export interface TypedScanListening {
  prefix: string
  /** Whether anyone wants a scan now; when not, all typing goes its way. */
  isWanted: () => boolean
  onScan: (text: string) => void
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Listens to a document for hardware scanners that type, whatever has the focus. When a scan is recognised, its Enter
 * or Tab never reaches the page, and the field it was typed into gets back what it held. Returns how to stop.
 */
export function listenForTypedScans(
  page: Document,
  { prefix, isWanted, onScan }: TypedScanListening,
): () => void {
  const step = createTypedScan({ prefix })
  let before: { field: Field; value: string } | null = null

  const onKeyDown = (event: KeyboardEvent): void => {
    const result = step({
      // Some password managers send a keydown without a key.
      key: event.key ?? '',
      at: event.timeStamp,
      repeat: event.repeat,
      composing: event.isComposing,
      // French keyboards need AltGr for « ] », the first sign of an AIM identifier.
      modified: (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph'),
    })
    if (result.kind === 'pass') {
      if (result.first) before = fieldOf(event)
      return
    }
    if (!isWanted()) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (result.kind === 'swallow') return
    if (before !== null && before.field.value !== before.value) putBack(before.field, before.value)
    before = null
    onScan(result.text)
  }

  page.addEventListener('keydown', onKeyDown, { capture: true })
  return () => page.removeEventListener('keydown', onKeyDown, { capture: true })
}

function fieldOf(event: KeyboardEvent): { field: Field; value: string } | null {
  const field = event.composedPath()[0]
  const isField =
    field instanceof HTMLInputElement ||
    field instanceof HTMLTextAreaElement ||
    field instanceof HTMLSelectElement
  return isField ? { field, value: field.value } : null
}

/** Sets a value as a person would: React hears only of values set through the element's own prototype. */
function putBack(field: Field, value: string): void {
  const own = Object.getPrototypeOf(field) as object
  Object.getOwnPropertyDescriptor(own, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  if (field instanceof HTMLSelectElement) field.dispatchEvent(new Event('change', { bubbles: true }))
}
