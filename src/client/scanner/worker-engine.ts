import type { DecodeMode } from './frame-modes.ts'
import type { FrameRequest } from './serve-frames.ts'
import type { Read } from './scan-agreement.ts'
import { openWorkerCalls } from './worker-calls.ts'

type FrameSource = HTMLVideoElement | ImageBitmap

/** `read` rejects when the engine is broken for good, and gives null for a frame without a code. */
export interface Engine {
  name: 'zxing-wasm' | 'zxing-js'
  read: (source: FrameSource, mode: DecodeMode) => Promise<Read | null>
  close: () => void
}

export async function openWorkerEngine(name: Engine['name'], worker: Worker): Promise<Engine> {
  const { ask, close } = await openWorkerCalls<FrameRequest, Read | null>(name, worker, null)
  return {
    name,
    read: async (source, mode) => {
      const frame = await takeFrame(source)
      return frame === null ? null : ask({ mode, frame }, [frame])
    },
    close,
  }
}

/** For transfer; null before the first picture. An ImageBitmap is copied. */
export async function takeFrame(source: FrameSource): Promise<VideoFrame | ImageBitmap | null> {
  if (source instanceof ImageBitmap) return createImageBitmap(source)
  try {
    // A third of a millisecond for the page, against several for a bitmap.
    if (typeof VideoFrame === 'function') return new VideoFrame(source)
  } catch {
    // Some browsers refuse a camera’s video here and need the bitmap below.
  }
  return createImageBitmap(source).catch(() => null)
}
