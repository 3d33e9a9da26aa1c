import { useEffect, useSyncExternalStore } from 'react'

// A basket is half made when copies were chosen and nothing of them is recorded yet: loading the page again would lose it.

let halfMade = 0
const listeners = new Set<() => void>()

function count(change: 1 | -1) {
  halfMade += change
  for (const listener of listeners) listener()
}

/** A screen says whether its basket is half made; leaving the screen takes it back. */
export function useBasketGuard(isHalfMade: boolean): void {
  useEffect(() => {
    if (!isHalfMade) return undefined
    count(1)
    return () => count(-1)
  }, [isHalfMade])
}

const watch = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const isAnyHalfMade = () => halfMade > 0

/** Whether some screen holds a half-made basket, so that the page must not be loaded again. */
export const useIsBasketHalfMade = (): boolean => useSyncExternalStore(watch, isAnyHalfMade)
