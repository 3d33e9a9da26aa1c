import { greyOf, opaque } from './frame-pixels.ts'
import type { FramePixels } from './frame-pixels.ts'

interface Sharpening {
  /** Enlarges, so that bars of one or two pixels get a middle. */
  scale: number
  radius: number
  strength: number
}

export function sharpenFrame(
  frame: FramePixels,
  { scale, radius, strength }: Sharpening,
): FramePixels & { data: Uint8ClampedArray<ArrayBuffer> } {
  const width = Math.round(frame.width * scale)
  const height = Math.round(frame.height * scale)
  const grey = enlarge(greyOf(frame).data, frame.width, frame.height, width, height)
  const soft = blurColumns(blurRows(grey, width, height, radius), width, height, radius)
  const data = new Uint8ClampedArray(width * height * 4)
  const pixels = new Uint32Array(data.buffer)
  for (let at = 0; at < grey.length; at++) {
    const here = grey[at] ?? 0
    const value = here + strength * (here - (soft[at] ?? 0))
    const bright = value < 0 ? 0 : value > 255 ? 255 : value | 0
    pixels[at] = (bright * 0x01010101) | opaque
  }
  return { data, width, height }
}

function enlarge(
  grey: Float32Array,
  fromWidth: number,
  fromHeight: number,
  width: number,
  height: number,
): Float32Array {
  if (width === fromWidth && height === fromHeight) return grey
  const across = placesOf(fromWidth, width)
  const down = placesOf(fromHeight, height)
  const wide = new Float32Array(width * fromHeight)
  for (let y = 0; y < fromHeight; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * fromWidth + (across.before[x] ?? 0)
      const left = grey[at] ?? 0
      const right = grey[y * fromWidth + (across.after[x] ?? 0)] ?? 0
      wide[y * width + x] = left + (across.part[x] ?? 0) * (right - left)
    }
  }
  const large = new Float32Array(width * height)
  for (let y = 0; y < height; y++) {
    const above = (down.before[y] ?? 0) * width
    const below = (down.after[y] ?? 0) * width
    const part = down.part[y] ?? 0
    for (let x = 0; x < width; x++) {
      const top = wide[above + x] ?? 0
      large[y * width + x] = top + part * ((wide[below + x] ?? 0) - top)
    }
  }
  return large
}

function placesOf(from: number, to: number): { before: Uint16Array; after: Uint16Array; part: Float32Array } {
  const before = new Uint16Array(to)
  const after = new Uint16Array(to)
  const part = new Float32Array(to)
  for (let at = 0; at < to; at++) {
    const place = Math.min(from - 1, Math.max(0, ((at + 0.5) * from) / to - 0.5))
    before[at] = Math.floor(place)
    after[at] = Math.min(from - 1, Math.floor(place) + 1)
    part[at] = place - Math.floor(place)
  }
  return { before, after, part }
}

/** A running sum, so that its cost does not grow with the radius. */
function blurRows(grey: Float32Array, width: number, height: number, radius: number): Float32Array {
  const soft = new Float32Array(grey.length)
  const reach = 2 * radius + 1
  for (let y = 0; y < height; y++) {
    const row = y * width
    const last = row + width - 1
    let sum = (radius + 1) * (grey[row] ?? 0)
    for (let x = 1; x <= radius; x++) sum += grey[Math.min(row + x, last)] ?? 0
    for (let x = 0; x < width; x++) {
      soft[row + x] = sum / reach
      sum += (grey[Math.min(row + x + radius + 1, last)] ?? 0) - (grey[Math.max(row + x - radius, row)] ?? 0)
    }
  }
  return soft
}

function blurColumns(grey: Float32Array, width: number, height: number, radius: number): Float32Array {
  const soft = new Float32Array(grey.length)
  const reach = 2 * radius + 1
  const sums = new Float32Array(width)
  for (let y = -radius; y <= radius; y++) {
    const row = Math.min(height - 1, Math.max(0, y)) * width
    for (let x = 0; x < width; x++) sums[x] = (sums[x] ?? 0) + (grey[row + x] ?? 0)
  }
  for (let y = 0; y < height; y++) {
    const next = Math.min(height - 1, y + radius + 1) * width
    const gone = Math.max(0, y - radius) * width
    for (let x = 0; x < width; x++) {
      const sum = sums[x] ?? 0
      soft[y * width + x] = sum / reach
      sums[x] = sum + (grey[next + x] ?? 0) - (grey[gone + x] ?? 0)
    }
  }
  return soft
}
