import type { Symbology } from '../../domain/bar-code.ts'
import { sayAgain, unsay } from '../page/messages.ts'
import { currentPreferences } from '../page/preferences.ts'
import { signalScan } from './scan-feedback.ts'
import { keepNotTaken, type TakenUp } from './scans-not-taken.ts'
import { brokenScan } from './typed-scan.ts'

const longestTold = 32

let last = ''

type Ignored = { symbology?: Symbology | undefined; of?: TakenUp | undefined; isRead?: boolean }

/** Says whether it waits in the bar; `isRead` is false where the caller has the answer read aloud. */
export function sayIgnored(code: string, { symbology, of, isRead = true }: Ignored = {}): string {
  const told = code.length > longestTold ? `${code.slice(0, longestTold)}…` : code
  const sentence = `Code ${told} ${keepNotTaken(code, symbology, of) ? 'gardé, à reprendre en haut' : 'lu, ignoré'}`
  sayRefused(sentence, isRead)
  return sentence
}

export const sayBroken = (): void => sayRefused(brokenScan.message, true)

function sayRefused(sentence: string, isRead: boolean): void {
  forgetIgnored()
  last = sentence
  sayAgain(last, 'warn', { isRead, isPassing: true })
  signalScan('refusal', { sound: currentPreferences().sound })
}

/** The old message would be taken for the new scan's. */
export const forgetIgnored = (): void => unsay(last)
