import { watchGestures } from './gestures.ts'

/** Left alone for so long, the device may go to sleep as usual. */
const restMs = 5 * 60_000

/** Keeps the screen lit from one gesture, key or scan to the next; returns how to stop. */
export function keepAwake(): () => void {
  if (!('wakeLock' in navigator)) return () => undefined
  let lock: WakeLockSentinel | null = null
  let isAsking = false
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const rest = () => {
    timer = undefined
    void lock?.release()
    lock = null
  }
  const take = async () => {
    if (isAsking || (lock && !lock.released) || document.visibilityState !== 'visible') return
    isAsking = true
    // Refused on a low battery, for one.
    lock = await navigator.wakeLock.request('screen').catch(() => null)
    isAsking = false
    if (isOver) rest()
  }
  const onUse = () => {
    clearTimeout(timer)
    timer = setTimeout(rest, restMs)
    void take()
  }
  // The system takes it back when the page is hidden.
  const onSeen = () => {
    if (timer !== undefined) void take()
  }

  onUse()
  const listened = { capture: true, passive: true }
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, onUse, listened)
  document.addEventListener('visibilitychange', onSeen)
  const stopGestures = watchGestures(onUse)
  return () => {
    isOver = true
    clearTimeout(timer)
    for (const name of ['pointerdown', 'keydown']) removeEventListener(name, onUse, listened)
    document.removeEventListener('visibilitychange', onSeen)
    stopGestures()
    rest()
  }
}
