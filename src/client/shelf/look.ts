/**
 * What a code in the picture is to the screen that shows it: `done` is as it should be, `before` was so already,
 * `elsewhere` belongs somewhere else, `trouble` wants a hand, `awaited` is what somebody waits for, and `other` is
 * none of this screen's business.
 */
export type Look = {
  tone: 'done' | 'before' | 'elsewhere' | 'trouble' | 'awaited' | 'other'
  /** The title where it is known, else the code. */
  name: string
  /** One word for the state, then what to do. */
  word: string
  sentence: string
}
