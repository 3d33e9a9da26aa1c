import { useEffect, useSyncExternalStore } from 'react'

import { emitter } from '../../../domain/emitter.ts'

// A half-made basket holds chosen copies that are not recorded yet, and loading the page again would lose it.

let halfMade = 0
const { tell, watch } = emitter()

function count(change: 1 | -1) {
  halfMade += change
  tell()
}

/** A screen tells whether its basket is half made; leaving it takes that back. */
export function useBasketGuard(isHalfMade: boolean): void {
  useEffect(() => {
    if (!isHalfMade) return undefined
    count(1)
    return () => count(-1)
  }, [isHalfMade])
}

const isAnyHalfMade = () => halfMade > 0

export const useIsBasketHalfMade = (): boolean => useSyncExternalStore(watch, isAnyHalfMade)
