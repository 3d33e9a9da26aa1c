import { type ReactNode, useSyncExternalStore } from 'react'

type Asked = { turn: number; sheet: ReactNode }

let asked: Asked = { turn: 0, sheet: null }
const listeners = new Set<() => void>()

/**
 * Has a sheet printed in place of the page (a `PrintSheet`); null once it is over. The frame draws it: as wide as paper, a screen may
 * draw its parts elsewhere, and what was printed with them.
 */
export function printOut(sheet: ReactNode): void {
  asked = { turn: asked.turn + 1, sheet }
  for (const listener of listeners) listener()
}

const watch = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePrinted = (): Asked => useSyncExternalStore(watch, () => asked)
