import { sayAgain, unsay } from '../page/messages.ts'
import { currentPreferences } from '../page/preferences.ts'
import { signalScan } from './scan-feedback.ts'

const longestTold = 32

export const ignoredSentence = (code: string): string =>
  `Code ${code.length > longestTold ? `${code.slice(0, longestTold)}…` : code} lu, ignoré`

let last = ''

/** `isRead` is false where the caller has it read aloud. */
export function sayIgnored(code: string, { isRead = true } = {}): void {
  forgetIgnored()
  last = ignoredSentence(code)
  sayAgain(last, 'warn', { isRead, isPassing: true })
  signalScan('refusal', { sound: currentPreferences().sound })
}

/** The old message would be taken for the new scan's. */
export const forgetIgnored = (): void => unsay(last)
