import { findCameraObstacle } from './camera-problems.ts'
import { openStream, stopStream } from './camera-stream.ts'
import type { Decoder } from './decoder.ts'

/** A camera panel takes what was asked for within some seconds; else nobody will. */
const keptFor = 10_000

const stream = askedAhead(() => openStream({ another: false }), stopStream)
const decoder = askedAhead(openDecoder, (one) => one.close())

/** Call it in the tap that opens the camera: both are on their way while the panel's own code is loaded. */
export function askForCamera(): void {
  if (findCameraObstacle() === null) stream.ask()
  decoder.ask()
}

/** Both give what the tap asked for, or ask now. */
export const takeStream = stream.take
export const takeDecoder = decoder.take

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

  return {
    ask: (): void => {
      if (asked !== null) return
      asked = askNow()
      const dropUntaken = () => void letGo()?.then(drop, nothing)
      timer = setTimeout(dropUntaken, keptFor)
      // Said by the panel, which asks again where it comes too late.
      asked.catch(nothing)
    },
    take: (): Promise<T> => letGo() ?? askNow(),
  }
}

const nothing = (): void => {}
