import { regionOf } from './decode-frame.ts'
import type { DecodeFrame } from './decode-frame.ts'
import type { FramePixels } from './frame-pixels.ts'
import type { DecodeMode } from './frame-modes.ts'
import type { Read } from './scan-agreement.ts'

export interface FrameRequest {
  id: number
  mode: DecodeMode
  frame: VideoFrame | ImageBitmap
}

export type FrameAnswer =
  { kind: 'ready' } | { kind: 'broken' } | { kind: 'read'; id: number; read: Read | null }

// A 12-megapixel photograph would take 48 MB.
const longestSide = 2560

export async function serveFrames(decode: DecodeFrame, prepare: () => Promise<void>): Promise<void> {
  try {
    await prepare()
    pixelsOf(new OffscreenCanvas(8, 8), 'full')
  } catch {
    answer({ kind: 'broken' })
    return
  }
  self.addEventListener('message', ({ data: { id, mode, frame } }: MessageEvent<FrameRequest>) => {
    readFrame(decode, mode, frame).then(
      (read) => answer({ kind: 'read', id, read }),
      () => answer({ kind: 'broken' }),
    )
  })
  answer({ kind: 'ready' })
}

function answer(message: FrameAnswer): void {
  self.postMessage(message, { transfer: [] })
}

function readFrame(
  decode: DecodeFrame,
  mode: DecodeMode,
  frame: VideoFrame | ImageBitmap,
): Promise<Read | null> {
  try {
    return decode(pixelsOf(frame, mode), mode)
  } finally {
    frame.close()
  }
}

let canvas: OffscreenCanvas | undefined

function pixelsOf(frame: VideoFrame | ImageBitmap | OffscreenCanvas, mode: DecodeMode): FramePixels {
  const [frameWidth, frameHeight] =
    'displayWidth' in frame ? [frame.displayWidth, frame.displayHeight] : [frame.width, frame.height]
  const part = regionOf(frameWidth, frameHeight, mode)
  const scale = Math.min(1, longestSide / Math.max(part.width, part.height))
  const width = Math.round(part.width * scale)
  const height = Math.round(part.height * scale)
  canvas ??= new OffscreenCanvas(width, height)
  // Setting a size clears the canvas, so only when it grows: crop and full take turns.
  if (canvas.width < width) canvas.width = width
  if (canvas.height < height) canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('no 2d context in this worker')
  context.drawImage(frame, part.x, part.y, part.width, part.height, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}
