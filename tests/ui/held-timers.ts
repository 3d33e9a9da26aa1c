import { vi } from 'vitest'

type Timer = ReturnType<typeof setTimeout>
type Work = (...args: unknown[]) => void

/** Timers of so many milliseconds run out when they are let go, and not before; the others as ever. */
export function holdTimers(...lengths: readonly number[]) {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
  const held = new Map<Timer, { run: () => void; ms: number; isOnce: boolean }>()
  const holding =
    (set: typeof setInterval, isOnce: boolean) =>
    (work: Work, ms = 0, ...args: unknown[]): Timer => {
      if (!lengths.includes(ms)) return set(work, ms, ...args)
      // In the place of the real one, for whoever stops it.
      const timer = set(() => undefined, ms)
      held.set(timer, { run: () => work(...args), ms, isOnce })
      return timer
    }
  const stopping = (clear: typeof clearTimeout) => (timer: Parameters<typeof clearTimeout>[0]) => {
    held.delete(timer as Timer)
    clear(timer)
  }
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(holding(setTimeout, true) as typeof setTimeout)
  vi.spyOn(globalThis, 'setInterval').mockImplementation(holding(setInterval, false) as typeof setInterval)
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation(stopping(clearTimeout))
  vi.spyOn(globalThis, 'clearInterval').mockImplementation(stopping(clearInterval))
  return {
    /** How long those take that nobody has stopped. */
    get lengths() {
      return Array.from(held.values(), ({ ms }) => ms)
    },
    letGo: () => {
      // Not those that one of them begins.
      const due = Array.from(held)
      for (const [timer, { run, isOnce }] of due) {
        // One of them may have stopped it.
        if (!held.has(timer)) continue
        if (isOnce) held.delete(timer)
        run()
      }
    },
  }
}
