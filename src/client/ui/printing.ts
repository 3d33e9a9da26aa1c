import { type ReactNode, useSyncExternalStore } from 'react'

import { emitter } from '../../domain/emitter.ts'

type Asked = { turn: number; sheet: ReactNode }

let asked: Asked = { turn: 0, sheet: null }
const { tell, watch } = emitter()

/** Prints a `PrintSheet`, until null; the frame draws it, because at paper's width a caller may unmount. */
export function printOut(sheet: ReactNode): void {
  asked = { turn: asked.turn + 1, sheet }
  tell()
}

export const usePrinted = (): Asked => useSyncExternalStore(watch, () => asked)
