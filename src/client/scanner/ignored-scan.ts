import { sayAgain, unsay } from '../page/messages.ts'
import { currentPreferences } from '../page/preferences.ts'
import { signalScan } from './scan-feedback.ts'

/** Longer codes, such as those of a ticket, are told by their beginning. */
const longestTold = 32

/** What is said of a scan that nobody wants, and of one that comes under a dialog. */
export const ignoredSentence = (code: string): string =>
  `Code ${code.length > longestTold ? `${code.slice(0, longestTold)}…` : code} lu, ignoré`

let last = ''

/** Says that a code was read and did nothing. `isRead` is false where the caller has it read aloud in its own place. */
export function sayIgnored(code: string, { isRead = true } = {}): void {
  forgetIgnored()
  last = ignoredSentence(code)
  sayAgain(last, 'bad', { isRead })
  signalScan('refusal', { sound: currentPreferences().sound })
}

/** A scan that is wanted: what was said of the one before would be taken for this one. */
export const forgetIgnored = (): void => unsay(last)
