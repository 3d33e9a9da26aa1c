import type { FramePixels, Region } from './frame-pixels.ts'

export type Frame = VideoFrame | ImageBitmap | OffscreenCanvas

export function sizeOf(frame: Frame): { width: number; height: number } {
  if ('displayWidth' in frame) return { width: frame.displayWidth, height: frame.displayHeight }
  return { width: frame.width, height: frame.height }
}

let context: OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D | null = null

type Drawn = FramePixels & { data: Uint8ClampedArray<ArrayBuffer> }

/** In pixels, of a film: a canvas that has held more, of a photograph, is let go. */
const largestKept = 2560 * 1440

/** A part of a frame, made smaller until its longer side fits; in a worker, or on a page whose workers have no canvas. */
export function pixelsOf(frame: Frame, part: Region = wholeOf(frame), longestSide = Infinity): Drawn {
  const scale = Math.min(1, longestSide / Math.max(part.width, part.height))
  const width = Math.round(part.width * scale)
  const height = Math.round(part.height * scale)
  context ??= newContext()
  if (context === null) throw new Error('no 2d context here')
  const { canvas } = context
  // Setting a size clears the canvas, so only when it grows: crop and full take turns.
  if (canvas.width < width) canvas.width = width
  if (canvas.height < height) canvas.height = height
  context.drawImage(frame, part.x, part.y, part.width, part.height, 0, 0, width, height)
  const pixels = context.getImageData(0, 0, width, height)
  if (canvas.width * canvas.height > largestKept) Object.assign(canvas, { width: 0, height: 0 })
  return pixels
}

function newContext(): typeof context {
  return typeof OffscreenCanvas === 'function'
    ? new OffscreenCanvas(0, 0).getContext('2d', { willReadFrequently: true })
    : document.createElement('canvas').getContext('2d', { willReadFrequently: true })
}

const wholeOf = (frame: Frame): Region => ({ x: 0, y: 0, ...sizeOf(frame) })
