import { isTextField } from '../page/text-field.ts'
import { withhold } from '../page/withheld-keys.ts'
import { boxText, typedKeyOf } from './typed-key.ts'
import { createTypedScan, type TypedKey, type TypedScanOptions, type TypedScanStep } from './typed-scan.ts'

declare global {
  /** Of door.js: stops keeping keys and gives those that came before the page heard any. */
  var takeEarlyKeys: (() => TypedKey[]) | undefined
}

export function takeEarlyKeys(): TypedKey[] {
  const keys = globalThis.takeEarlyKeys?.() ?? []
  globalThis.takeEarlyKeys = undefined
  return keys
}

interface TypedScanListening extends TypedScanOptions {
  onScan: (text: string) => void
  /** A scan came in pieces that are not one code. */
  onBroken: () => void
  /** A scanner typed, where nobody writes, what is not surely a code. */
  onLeft: (text: string) => void
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

interface Held {
  field: Field
  value: string
  selection: [number, number] | null
}

/** A timer that fires later than this waited for the page, and so may keys. */
const lateMs = 50

/** A scan's keys act on nothing, and the field they were typed into gets back what it held. */
export function listenForTypedScans(page: Window, listening: TypedScanListening): () => void {
  const scan = createTypedScan(listening)
  const before = new Map<number, Held | null>()
  let timer: number | undefined
  let pressedAt = 0

  const onKeyDown = (event: KeyboardEvent): void => {
    page.clearTimeout(timer)
    const [place] = event.composedPath()
    const key = typedKeyOf(event)
    endRested(key.at, place)
    const step = scan.press(key)
    if (step.kind === 'pass') {
      if (step.begins !== null) keep(step.begins, heldBy(event))
      if (!isTextField(place)) {
        if (step.fast) withhold(event)
        leave(step)
      }
      return awaitRest()
    }
    withhold(event)
    event.stopImmediatePropagation()
    finish(step)
    if (step.kind === 'swallow') awaitRest()
  }
  const onPress = (): void => scan.touch()
  const onReturn = (): void => scan.returnTo(page.performance.now())
  const awaitRest = (): void => {
    const wait = scan.waits()
    if (wait !== null) restIn(wait)
  }
  const restIn = (ms: number): void => {
    const due = page.performance.now() + ms
    timer = page.setTimeout(() => {
      const now = page.performance.now()
      if (now - due > lateMs) return restIn(lateMs)
      endByRest(now, page.document.activeElement)
    }, ms)
  }
  const endByRest = (at: number, place: EventTarget | null | undefined): void => {
    const box = boxText(place)
    const step = scan.rest(at, isTextField(place) && box === undefined, box)
    // A person sees what stands in a field.
    if (step.kind !== 'broken' || !isTextField(place)) finish(step)
  }
  /** A busy page hears the next key before its timer. */
  const endRested = (at: number, place: EventTarget | null | undefined): void => {
    const wait = scan.waits()
    if (wait !== null && at - pressedAt >= wait) endByRest(pressedAt + wait, place)
    pressedAt = at
  }
  const leave = ({ left }: TypedScanStep & { kind: 'pass' }): void => {
    if (left?.length === 0) listening.onBroken()
    left?.forEach((text) => listening.onLeft(text))
  }
  const keep = (number: number, held: Held | null): void => {
    before.set(number, held)
    before.delete(number - mostKept)
  }
  const finish = (step: TypedScanStep): void => {
    if (step.kind !== 'scan' && step.kind !== 'broken') return
    const held = before.get(step.from)
    const empties = step.empties && boxText(held?.field) !== undefined
    if (held) putBack(empties ? { ...held, value: '' } : held)
    before.clear()
    if (step.kind === 'broken') listening.onBroken()
    else step.codes.forEach((code) => listening.onScan(code))
  }

  for (const key of takeEarlyKeys()) {
    endRested(key.at, null)
    const step = scan.press(key)
    finish(step)
    if (step.kind === 'pass') leave(step)
  }
  awaitRest()
  page.addEventListener('keydown', onKeyDown, { capture: true })
  page.addEventListener('pointerdown', onPress, { capture: true })
  page.addEventListener('focus', onReturn)
  return () => {
    page.clearTimeout(timer)
    page.removeEventListener('keydown', onKeyDown, { capture: true })
    page.removeEventListener('pointerdown', onPress, { capture: true })
    page.removeEventListener('focus', onReturn)
  }
}

/** Bursts of which it is known what stood in the field before them. */
const mostKept = 8

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
