import type { FramePixels, Region } from './frame-pixels.ts'

export type Frame = VideoFrame | ImageBitmap | OffscreenCanvas

export function sizeOf(frame: Frame): { width: number; height: number } {
  if ('displayWidth' in frame) return { width: frame.displayWidth, height: frame.displayHeight }
  return { width: frame.width, height: frame.height }
}

let canvas: OffscreenCanvas | undefined

/** In a worker: a part of a frame, made smaller until its longer side fits. */
export function pixelsOf(frame: Frame, part: Region = wholeOf(frame), longestSide = Infinity): FramePixels {
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

const wholeOf = (frame: Frame): Region => ({ x: 0, y: 0, ...sizeOf(frame) })
