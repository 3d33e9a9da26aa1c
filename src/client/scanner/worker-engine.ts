import type { DecodeMode } from './frame-modes.ts'
import type { FrameAnswer, FrameRequest } from './serve-frames.ts'
import type { Read } from './scan-agreement.ts'

type FrameSource = HTMLVideoElement | ImageBitmap

/** `read` rejects when the engine is broken for good, and gives null for a frame without a code. */
export interface Engine {
  name: 'zxing-wasm' | 'zxing-js'
  read: (source: FrameSource, mode: DecodeMode) => Promise<Read | null>
  close: () => void
}

interface Waiting {
  resolve: (read: Read | null) => void
  reject: (error: Error) => void
}

export function openWorkerEngine(name: Engine['name'], worker: Worker): Promise<Engine> {
  const waiting = new Map<number, Waiting>()
  let lastId = 0

  const close = (): void => {
    worker.terminate()
    for (const { resolve } of waiting.values()) resolve(null)
    waiting.clear()
  }

  const read = async (source: FrameSource, mode: DecodeMode): Promise<Read | null> => {
    const frame = await takeFrame(source)
    if (frame === null) return null
    const id = ++lastId
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      const request: FrameRequest = { id, mode, frame }
      worker.postMessage(request, [frame])
    })
  }

  return new Promise((resolve, reject) => {
    const fail = (): void => {
      const error = new Error(`${name} does not run here`)
      reject(error)
      for (const one of waiting.values()) one.reject(error)
      waiting.clear()
      worker.terminate()
    }
    worker.addEventListener('error', fail)
    worker.addEventListener('message', ({ data }: MessageEvent<FrameAnswer>) => {
      if (data.kind === 'broken') fail()
      else if (data.kind === 'ready') resolve({ name, read, close })
      else {
        waiting.get(data.id)?.resolve(data.read)
        waiting.delete(data.id)
      }
    })
  })
}

/** For transfer; null before the first picture. An ImageBitmap is copied. */
async function takeFrame(source: FrameSource): Promise<VideoFrame | ImageBitmap | null> {
  if (source instanceof ImageBitmap) return createImageBitmap(source)
  try {
    // A third of a millisecond for the page, against several for a bitmap.
    if (typeof VideoFrame === 'function') return new VideoFrame(source)
  } catch {
    // Some browsers refuse a camera’s video here and need the bitmap below.
  }
  return createImageBitmap(source).catch(() => null)
}
