import { holdScans } from '../scanner/scan-source.tsx'
import { typedKeyOf } from '../scanner/typed-key.ts'
import { createTypedScan } from '../scanner/typed-scan.ts'
import { currentPreferences } from '../page/preferences.ts'
import { watchGestures } from '../page/gestures.ts'
import { isVeiled, lockIfIdle, noteGesture } from './lock-state.ts'

/** How late the lock may come; timers stop while the device sleeps, so the clock is looked at again and again. */
const lookMs = 5_000
const moves = ['pointermove', 'wheel', 'touchmove'] as const
const wakes = ['focus', 'pageshow', 'resume'] as const

const scanListeners = new Set<() => void>()

const tellScan = () => scanListeners.forEach((listener) => listener())

/** Calls back when a scanner typed under the lock. Returns how to stop. */
export function watchIgnoredScans(listener: () => void): () => void {
  scanListeners.add(listener)
  return () => scanListeners.delete(listener)
}

/**
 * Measures how long nobody is there, and keeps the keys from the page while it is away. To be called before the screens listen; returns
 * how to stop.
 */
export function watchIdle(): () => void {
  const scans = scansOfNow()
  const onKeyDown = (event: KeyboardEvent) => {
    // The first key after a rest wakes the lock, not the page.
    if (!isVeiled() && !lockIfIdle()) return noteGesture()
    event.stopImmediatePropagation()
    const heard = scans(event)
    if (heard === 'pass') return
    event.preventDefault()
    if (heard === 'scan') tellScan()
  }
  const onKeyUp = (event: KeyboardEvent) => {
    if (isVeiled()) event.stopImmediatePropagation()
  }
  const onMove = (event: Event) => {
    // A dialog of the page would keep what stands in its place from scrolling.
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
  // The scanners may have been listened to before this: they ask as well.
  const stopHolding = holdScans(() => isVeiled() || lockIfIdle(), tellScan)
  return () => {
    removeEventListener('keydown', onKeyDown, early)
    removeEventListener('keyup', onKeyUp, early)
    removeEventListener('pointerdown', onPress, early)
    for (const name of moves) removeEventListener(name, onMove, early)
    for (const name of wakes) removeEventListener(name, look, early)
    document.removeEventListener('visibilitychange', look)
    clearInterval(timer)
    stopGestures()
    stopHolding()
  }
}

/** Bar codes are as short as the code itself: four keys no hand types so fast are a scan, and no try. */
const shortest = 4

/** Tells scans from typing, with the prefix as it stands when a burst is heard. */
function scansOfNow(): (event: KeyboardEvent) => 'pass' | 'scan' | 'swallow' {
  let prefix = currentPreferences().scanner_prefix
  let step = createTypedScan({ prefix, shortest })
  return (event) => {
    if (prefix !== currentPreferences().scanner_prefix) {
      prefix = currentPreferences().scanner_prefix
      step = createTypedScan({ prefix, shortest })
    }
    return step(typedKeyOf(event)).kind
  }
}
