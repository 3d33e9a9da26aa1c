/** `crop` and `sharp` read the middle, `full` everything in quarter turns, `tilted` and `photo` at any angle. */
export type DecodeMode = 'crop' | 'full' | 'sharp' | 'tilted' | 'photo'

/** In turn, because one way may read what another misses. */
export const frameModes = ['crop', 'full', 'tilted', 'sharp'] as const satisfies DecodeMode[]

export interface FrameTurns {
  readonly mode: DecodeMode
  /** `isCandidate`: the frame gave a code that another frame must confirm. */
  next: (isCandidate: boolean) => void
}

/** The mode that found a candidate looks again at once, but only once: it may find one mistake after another. */
export function createFrameTurns(): FrameTurns {
  let turn = 0
  let isSecondLook = false
  return {
    get mode() {
      return frameModes[turn] ?? 'full'
    },
    next: (isCandidate) => {
      isSecondLook = isCandidate && !isSecondLook
      if (!isSecondLook) turn = (turn + 1) % frameModes.length
    },
  }
}
