import { findCameraObstacle } from './camera-problems.ts'
import { openStream, stopStream } from './camera-stream.ts'
import type { Decoder } from './decoder.ts'
import { unlockSound } from './scan-feedback.ts'

/** A camera panel takes what was asked for within some seconds; else nobody will. */
const keptFor = 10_000

const stream = askedAhead(() => openStream({ another: false }), stopStream)
const decoder = askedAhead(openDecoder, (one) => one.close())

/** Call it in the tap that opens the camera: both are on their way while the panel's own code is loaded. */
export function askForCamera(): void {
  askForStream()
  decoder.ask()
}

/** Call it in the tap that opens the picture of a shelf, which has readers of its own. */
export function askForStream(): void {
  unlockSound()
  if (findCameraObstacle() === null) stream.ask()
}

/** Both give what the tap asked for, or ask now. */
export const takeStream = stream.take
export const takeDecoder = decoder.take

/** The camera goes out at once where the panel that it was asked for is closed before it took it. */
export const dropStream = stream.drop

async function openDecoder(): Promise<Decoder> {
  const opener = await import('./decoder.ts')
  return opener.openDecoder()
}

function askedAhead<T>(askNow: () => Promise<T>, drop: (one: T) => void) {
  let asked: Promise<T> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const letGo = (): Promise<T> | null => {
    clearTimeout(timer)
    const one = asked
    asked = null
    return one
  }

  const dropUntaken = (): void => void letGo()?.then(drop, nothing)

  return {
    ask: (): void => {
      if (asked !== null) return
      asked = askNow()
      timer = setTimeout(dropUntaken, keptFor)
      // Said by the panel, which asks again where it comes too late.
      asked.catch(nothing)
    },
    take: (): Promise<T> => letGo() ?? askNow(),
    drop: dropUntaken,
  }
}

const nothing = (): void => {}
