/**
 * What a code in the picture is to the screen that shows it: `good` is as it should be, `faint` was so before, `warn`
 * belongs somewhere else, `bad` wants a hand, `sought` is looked for or waited for, and `none` is not this screen's business.
 */
export type LookTone = 'good' | 'faint' | 'warn' | 'bad' | 'sought' | 'none'

export type Look = {
  tone: LookTone
  /** The title where it is known, else the code. */
  name: string
  /** One word for the state, then what to do. */
  word: string
  sentence: string
}
