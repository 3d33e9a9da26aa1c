import { sayAgain, unsay } from '../page/messages.ts'
import { currentPreferences } from '../page/preferences.ts'
import { signalScan } from './scan-feedback.ts'

/** What is said of a scan that nobody wants, and of one that comes under a dialog. */
export const ignoredSentence = 'Code lu, ignoré'

/** Says that a code was read and did nothing. `isRead` is false where the caller has it read aloud in its own place. */
export function sayIgnored({ isRead = true } = {}): void {
  sayAgain(ignoredSentence, 'bad', { isRead })
  signalScan('refusal', { sound: currentPreferences().sound })
}

/** A scan that is wanted: what was said of the one before would be taken for this one. */
export const forgetIgnored = (): void => unsay(ignoredSentence)
