import { wholeScan } from '../../domain/bar-code.ts'
import { emitter } from '../../domain/emitter.ts'
import { holdScans } from '../scanner/scan-source.tsx'
import { keepNotTaken } from '../scanner/scans-not-taken.ts'
import { typedKeyOf } from '../scanner/typed-key.ts'
import { createTypedScan, type TypedScanStep } from '../scanner/typed-scan.ts'
import { knownShapes } from '../scanner/known-shapes.ts'
import { currentPreferences } from '../page/preferences.ts'
import { watchGestures } from '../page/gestures.ts'
import { isVeiled, lockIfIdle, noteGesture } from './lock-state.ts'

/** Timers stop while the device sleeps, so the clock is read again and again. */
const lookMs = 5_000
const moves = ['pointermove', 'wheel', 'touchmove'] as const
const wakes = ['focus', 'pageshow', 'resume'] as const

const { tell: tellScan, watch } = emitter<[isKept: boolean]>()

/** Calls back after a scan under the lock, with whether it waits to be taken up. */
export const watchScansUnderLock = watch

/** Measures idle time and keeps keys from a page that is away. Call it before the screens listen. */
export function watchIdle(): () => void {
  const scan = createTypedScan(listening)
  let resting: number | undefined
  /** Answers whether it came from a scanner. */
  const take = (heard: TypedScanStep): boolean => {
    const codes = codesUnderLock(heard)
    if (codes === null) return heard.kind === 'swallow'
    const kept = codes.filter((code) => keepNotTaken(wholeScan(code)))
    tellScan(kept.length > 0)
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    clearTimeout(resting)
    // The first key after a rest wakes the lock, not the page.
    if (!isVeiled() && !lockIfIdle()) return noteGesture()
    event.stopImmediatePropagation()
    // Slow keys are those of a person at the lock, wherever they go.
    if (take(scan.press({ ...typedKeyOf(event), isWriting: true }))) event.preventDefault()
    // What stands in the field may be a password, so only what is surely a code ends by itself.
    const wait = scan.waits()
    if (wait !== null) resting = window.setTimeout(() => take(scan.rest(performance.now(), true)), wait)
  }
  const onKeyUp = (event: KeyboardEvent) => {
    if (isVeiled()) event.stopImmediatePropagation()
  }
  const onMove = (event: Event) => {
    // A dialog of the page would keep its replacement from scrolling.
    if (isVeiled() || lockIfIdle()) event.stopImmediatePropagation()
    else noteGesture()
  }
  const onPress = () => {
    if (!isVeiled() && !lockIfIdle()) noteGesture()
  }
  const look = () => void lockIfIdle()

  look()
  const early = { capture: true }
  addEventListener('keydown', onKeyDown, early)
  addEventListener('keyup', onKeyUp, early)
  addEventListener('pointerdown', onPress, early)
  for (const name of moves) addEventListener(name, onMove, { capture: true, passive: true })
  for (const name of wakes) addEventListener(name, look, early)
  document.addEventListener('visibilitychange', look)
  const timer = setInterval(look, lookMs)
  const stopGestures = watchGestures(onPress)
  // Scanners may be heard before this listener, so they ask too.
  const stopHolding = holdScans(() => isVeiled() || lockIfIdle(), tellScan)
  return () => {
    removeEventListener('keydown', onKeyDown, early)
    removeEventListener('keyup', onKeyUp, early)
    removeEventListener('pointerdown', onPress, early)
    for (const name of moves) removeEventListener(name, onMove, early)
    for (const name of wakes) removeEventListener(name, look, early)
    document.removeEventListener('visibilitychange', look)
    clearInterval(timer)
    clearTimeout(resting)
    stopGestures()
    stopHolding()
  }
}

const listening = {
  /** Four keys typed that fast are a scan of a short bar code, not a try. */
  shortest: 4,
  get prefix() {
    return currentPreferences().scanner_prefix
  },
  get shapes() {
    return knownShapes()
  },
}

/** A shorter one may be the code that opens the lock, unless no fingers type so fast what looks like the library's codes. */
const shortestKept = 8

/** Those of a scanner that may be kept, or null of what fingers may have typed. */
function codesUnderLock(heard: TypedScanStep): readonly string[] | null {
  const isOurs = (code: string) => knownShapes().fits(code)
  if (heard.kind === 'scan')
    return heard.codes.filter((code) => code.length >= shortestKept || (heard.quick && isOurs(code)))
  if (heard.kind === 'broken') return []
  // Longer ones of ours that come quickly enough are scans.
  return heard.kind === 'pass' && heard.fast && heard.left
    ? heard.left.filter((code) => code.length < 3 && isOurs(code))
    : null
}
