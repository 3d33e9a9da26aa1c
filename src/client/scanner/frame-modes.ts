import type { Read, Verdict } from './scan-agreement.ts'

/** `crop` and `sharp` read the middle, `full` everything in quarter turns, `tilted` and `photo` at any angle. */
export type DecodeMode = 'crop' | 'full' | 'sharp' | 'tilted' | 'photo'

/** In turn, because one way may read what another misses. */
export const frameModes = ['crop', 'full', 'tilted', 'sharp'] as const satisfies DecodeMode[]

interface FrameTurns {
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

interface FrameLoop {
  read: (mode: DecodeMode) => Promise<Read | null>
  onFrame: (read: Read | null) => Verdict
  /** No engine is left. */
  onBroken: () => void
  /** Returns how to ask no more. */
  askNext: (then: () => void) => () => void
}

/** Reads until it is stopped by what it returns. */
export function readFrames({ read, onFrame, onBroken, askNext }: FrameLoop): () => void {
  const turns = createFrameTurns()
  let stopped = false

  const readOne = async (): Promise<void> => {
    let found: Read | null
    try {
      found = await read(turns.mode)
    } catch {
      if (!stopped) onBroken()
      return
    }
    if (stopped) return
    let isCandidate = false
    try {
      isCandidate = onFrame(found) === 'candidate'
    } catch (error) {
      // A screen's error must not stop the camera.
      reportError(error)
    }
    turns.next(isCandidate)
    // Asked for after this one, so that none waits and the latest wins.
    dropNext = askNext(() => void readOne())
  }
  let dropNext = askNext(() => void readOne())
  return () => {
    stopped = true
    dropNext()
  }
}
