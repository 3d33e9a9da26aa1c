import { useSyncExternalStore } from 'react'

import { emitter } from '../../domain/emitter.ts'
import type { Wording } from '../../domain/house-words.ts'

/** Where this device keeps the library's words, for a page that opens off line. */
export const keptWords = 'house_words'

const { tell, watch } = emitter()
let current: Wording = (label) => label

export function speak(wording: Wording): void {
  current = wording
  tell()
}

/** A label of the software in the library's words; never for what people wrote. */
export const inWords: Wording = (label) => current(label)

/** The same for what is on the page when the words change. */
export const useInWords = (): Wording => useSyncExternalStore(watch, () => current)
