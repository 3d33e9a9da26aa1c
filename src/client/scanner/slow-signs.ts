/** Signs that were typed where nobody writes, each less than a second after the last. */
export interface SlowText {
  text: string
  /** The burst in which they began. */
  from: number
  /** Something without an ending stood before them that is not among them: they may be the end of a code. */
  isCut: boolean
}

interface SlowSigns {
  add(sign: { key: string; at: number; burst: number; isWriting: boolean; follows: boolean }): void
  /** `isEnding`: what comes next is another code. */
  forget(isEnding: boolean): void
  returnTo(at: number): void
  read(): SlowText
}

/** In ms. */
const longestGap = 1_000
const forgottenAfter = 60_000
const longestText = 40
/** Of what has no ending, and so may be half a code. */
const shortestHalf = 4

/** Gathers what scanners type that are too slow to be told from fingers by their pace. */
export function createSlowSigns(): SlowSigns {
  let slow: SlowText = { text: '', from: 0, isCut: false }
  let lastAt = Number.NEGATIVE_INFINITY
  /** When the last sign came that went into a field, or that another key has undone. */
  let elsewhereAt = Number.NEGATIVE_INFINITY

  return {
    add({ key, at, burst, isWriting, follows }) {
      const isSoon = at - lastAt < longestGap
      const isLongAgo = at - lastAt > forgottenAfter
      lastAt = at
      const { text } = slow
      if (isWriting) {
        slow = { ...slow, text: '' }
        elsewhereAt = at
      } else if (text === '' || !isSoon) {
        slow = {
          // A space alone pressed a button.
          text: key.trimStart(),
          from: burst,
          isCut: follows || at - elsewhereAt < longestGap || (text.length >= shortestHalf && !isLongAgo),
        }
      } else if (text.length < longestText) slow = { ...slow, text: text + key }
      else slow = { ...slow, isCut: true }
    },
    forget(isEnding) {
      slow = { ...slow, text: '' }
      elsewhereAt = isEnding ? Number.NEGATIVE_INFINITY : lastAt
    },
    returnTo(at) {
      elsewhereAt = at
    },
    read: () => slow,
  }
}
