import type { Symbology } from '../../domain/bar-code.ts'
import { sayAgain, unsay } from '../page/messages.ts'
import { currentPreferences } from '../page/preferences.ts'
import { signalScan } from './scan-feedback.ts'
import { keepNotTaken } from './scans-not-taken.ts'

const longestTold = 32

export const ignoredSentence = (code: string): string =>
  `Code ${code.length > longestTold ? `${code.slice(0, longestTold)}…` : code} lu, ignoré`

const brokenSentence = 'Code lu en deux fois, à scanner de nouveau'

let last = ''

type Ignored = { symbology?: Symbology | undefined; isRead?: boolean }

/** `isRead` is false where the caller has it read aloud. */
export function sayIgnored(code: string, { symbology, isRead = true }: Ignored = {}): void {
  keepNotTaken(code, symbology)
  sayRefused(ignoredSentence(code), isRead)
}

export const sayBroken = (): void => sayRefused(brokenSentence, true)

function sayRefused(sentence: string, isRead: boolean): void {
  forgetIgnored()
  last = sentence
  sayAgain(last, 'warn', { isRead, isPassing: true })
  signalScan('refusal', { sound: currentPreferences().sound })
}

/** The old message would be taken for the new scan's. */
export const forgetIgnored = (): void => unsay(last)
