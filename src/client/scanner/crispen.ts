import { type FramePixels, type GreyPixels, opaque } from './frame-pixels.ts'

/** As `sharpenFrame` at its own size, with one array instead of four: for millions of pixels, and films. */
export function crispen(
  { data, width, height }: GreyPixels,
  { radius, strength }: { radius: number; strength: number },
): FramePixels {
  const crisp = new Uint8ClampedArray(width * height * 4)
  const pixels = new Uint32Array(crisp.buffer)
  const part = strength / (2 * radius + 1) ** 2
  const lastRow = (height - 1) * width
  const last = width - 1
  // Of each column, around the row; beyond the edge, as at the edge.
  const sums = new Float64Array(width)
  const add = (row: number, times: number): void => {
    const from = Math.min(lastRow, Math.max(0, row * width))
    for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + times * (data[from + x] ?? 0)
  }
  for (let row = -radius; row < radius; row++) add(row, 1)
  for (let y = 0; y < height; y++) {
    add(y + radius, 1)
    if (y > 0) add(y - radius - 1, -1)
    let sum = (radius + 1) * (sums[0] ?? 0)
    for (let x = 1; x <= radius; x++) sum += sums[Math.min(x, last)] ?? 0
    for (let x = 0; x < width; x++) {
      const value = (1 + strength) * (data[y * width + x] ?? 0) - part * sum
      pixels[y * width + x] = ((value < 0 ? 0 : value > 255 ? 255 : value | 0) * 0x01010101) | opaque
      sum += (sums[x + radius < last ? x + radius + 1 : last] ?? 0) - (sums[x > radius ? x - radius : 0] ?? 0)
    }
  }
  return { data: crisp, width, height }
}
