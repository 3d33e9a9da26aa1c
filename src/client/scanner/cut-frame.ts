import type { FramePixels, Region } from './frame-pixels.ts'

export function cutFrame(frame: FramePixels, { x, y, width, height }: Region): FramePixels {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * frame.width + x) * 4
    data.set(frame.data.subarray(from, from + width * 4), row * width * 4)
  }
  return { data, width, height }
}
