import { barDirections } from './bar-direction.ts'
import type { BarDirection } from './bar-direction.ts'
import { greyOf, opaque } from './frame-pixels.ts'
import type { FramePixels, GreyPixels, Point, Region } from './frame-pixels.ts'

/** A part of a frame, turned so that its bars stand upright. */
interface TurnedPart {
  pixels: FramePixels
  /** Where the frame's middle lies in it, or beside it. */
  middle: Point
  /** Where the bars lie in it, without what stands beside them. */
  bars: Region
  /** Where a place of it lies in the frame. */
  inFrame: (place: Point) => Point
}

/** So much of a direction's cells lies beyond each end: far cells are rarely of the label. */
const leftOut = 0.03
/** Beside the cells that are kept: what was left out of the code, and the blank before it. */
const margin = 0.15
/** Enlarged, bars of two or three pixels keep their widths when they are turned. */
const largestScale = 2
const enlargedTo = 400_000
/** Decoding a larger part would take longer than a whole frame. */
const largestPart = 600_000

/** One after the other, because the first one mostly gives the code. */
export function* uprightParts(frame: FramePixels): Generator<TurnedPart> {
  const grey = greyOf(frame)
  for (const direction of barDirections(grey)) yield turnedPart(grey, direction)
}

export function turnedPart(grey: GreyPixels, { angle, cells }: BarDirection): TurnedPart {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = spanOf(cells.map(({ x, y, clearness }) => ({ at: x * cos + y * sin, clearness })))
  const beside = spanOf(cells.map(({ x, y, clearness }) => ({ at: y * cos - x * sin, clearness })))
  const scale = scaleOf(along.length * beside.length)
  const width = Math.ceil(along.length * scale)
  const height = Math.ceil(beside.length * scale)
  const data = new Uint8ClampedArray(width * height * 4)
  const pixels = new Uint32Array(data.buffer)
  for (let row = 0; row < height; row++) {
    const v = beside.from + row / scale
    for (let column = 0; column < width; column++) {
      const u = along.from + column / scale
      pixels[row * width + column] =
        (brightness(grey, u * cos - v * sin, u * sin + v * cos) * 0x01010101) | opaque
    }
  }
  const [x, y] = [grey.width / 2, grey.height / 2]
  return {
    pixels: { data, width, height },
    middle: { x: (x * cos + y * sin - along.from) * scale, y: (y * cos - x * sin - beside.from) * scale },
    bars: {
      x: Math.round(along.margin * scale),
      y: Math.round(beside.margin * scale),
      width: width - 2 * Math.round(along.margin * scale),
      height: height - 2 * Math.round(beside.margin * scale),
    },
    inFrame: (place) => {
      const [u, v] = [along.from + place.x / scale, beside.from + place.y / scale]
      return { x: u * cos - v * sin, y: u * sin + v * cos }
    },
  }
}

function scaleOf(area: number): number {
  if (area > largestPart) return Math.sqrt(largestPart / area)
  return Math.max(1, Math.min(largestScale, Math.sqrt(enlargedTo / area)))
}

interface Span {
  from: number
  length: number
  /** So much of it, at each end, lies beside the bars. */
  margin: number
}

function spanOf(places: { at: number; clearness: number }[]): Span {
  const sorted = places.toSorted((one, other) => one.at - other.at)
  const least = leftOut * sorted.reduce((sum, { clearness }) => sum + clearness, 0)
  const from = firstBeyond(sorted, least)
  const to = firstBeyond(sorted.reverse(), least)
  const beside = margin * (to - from) + leastMargin
  const bars = 1.5 * leftOut * (to - from) + leastMargin / 2
  return { from: from - beside, length: to - from + 2 * beside, margin: beside - bars }
}

/** In pixels: a cell's own half, and some paper. */
const leastMargin = 24

function firstBeyond(places: readonly { at: number; clearness: number }[], least: number): number {
  let sum = 0
  for (const { at, clearness } of places) {
    sum += clearness
    if (sum > least) return at
  }
  return 0
}

/** Between four pixels; beyond the frame, as at its edge. */
function brightness({ data, width, height }: GreyPixels, x: number, y: number): number {
  const placeX = x < 0 ? 0 : x > width - 1.001 ? width - 1.001 : x
  const placeY = y < 0 ? 0 : y > height - 1.001 ? height - 1.001 : y
  const left = placeX | 0
  const top = placeY | 0
  const at = top * width + left
  const upper = mixed(data[at] ?? 0, data[at + 1] ?? 0, placeX - left)
  const lower = mixed(data[at + width] ?? 0, data[at + width + 1] ?? 0, placeX - left)
  return mixed(upper, lower, placeY - top) | 0
}

const mixed = (one: number, other: number, part: number): number => one + part * (other - one)
