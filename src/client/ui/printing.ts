import { type ReactNode, useSyncExternalStore } from 'react'

type Asked = { turn: number; sheet: ReactNode }

let asked: Asked = { turn: 0, sheet: null }
const listeners = new Set<() => void>()

/** Prints a `PrintSheet`, until null; the frame draws it, because at paper's width a caller may unmount. */
export function printOut(sheet: ReactNode): void {
  asked = { turn: asked.turn + 1, sheet }
  for (const listener of listeners) listener()
}

const watch = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePrinted = (): Asked => useSyncExternalStore(watch, () => asked)
