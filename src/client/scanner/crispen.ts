import { type FramePixels, type GreyPixels, opaque } from './frame-pixels.ts'

/** As `sharpenFrame` at its own size, with one array instead of four: for millions of pixels, and films. */
export function crispen(
  { data, width, height }: GreyPixels,
  { radius, strength }: { radius: number; strength: number },
): FramePixels {
  const crisp = new Uint8ClampedArray(width * height * 4)
  const pixels = new Uint32Array(crisp.buffer)
  const part = strength / (2 * radius + 1) ** 2
  // Of each column, around the row; beyond the edge, as at the edge.
  const sums = new Float64Array(width + 2 * radius + 1)
  const add = (row: number, times: number): void => {
    const from = Math.min(height - 1, Math.max(0, row)) * width
    for (let x = 0; x < width; x++) sums[x + radius] = (sums[x + radius] ?? 0) + times * (data[from + x] ?? 0)
  }
  for (let row = -radius; row < radius; row++) add(row, 1)
  for (let y = 0; y < height; y++) {
    add(y + radius, 1)
    if (y > 0) add(y - radius - 1, -1)
    sums.fill(sums[radius] ?? 0, 0, radius)
    sums.fill(sums[width + radius - 1] ?? 0, width + radius)
    let sum = 0
    for (let x = 0; x <= 2 * radius; x++) sum += sums[x] ?? 0
    const row = y * width
    for (let x = 0; x < width; x++) {
      const value = (1 + strength) * (data[row + x] ?? 0) - part * sum
      const bright = value < 0 ? 0 : value > 255 ? 255 : value | 0
      pixels[row + x] = (bright * 0x01010101) | opaque
      sum += (sums[x + 2 * radius + 1] ?? 0) - (sums[x] ?? 0)
    }
  }
  return { data: crisp, width, height }
}
