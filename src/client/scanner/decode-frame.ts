import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { ReaderOptions, ReadResult, ZXingModuleOverrides } from 'zxing-wasm/reader'
import type { FramePixels, Point, Region } from './frame-pixels.ts'
import type { DecodeMode } from './frame-modes.ts'
import { linesAgree } from './lines-agree.ts'
import { sharpenFrame } from './sharpen-frame.ts'
import type { Read } from './scan-agreement.ts'
import { uprightParts } from './turn-frame.ts'
import { readableFormats, symbologyOf } from './zxing-symbols.ts'

export type DecodeFrame = (frame: FramePixels, mode: DecodeMode) => Promise<Read | null>

// A book shows its ISBN beside the library's label: the code nearest the middle is meant.
const common: ReaderOptions = { ...readableFormats, maxNumberOfSymbols: 4 }

const everyWay: ReaderOptions = {
  ...common,
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
}
// Without tryHarder a line gives only its first code: 5 ms instead of 14, but perhaps the wrong code.
const oneWay: ReaderOptions = { ...everyWay, tryRotate: false, tryInvert: false, tryDownscale: false }
// Sharpening may invent bars, so one more line must agree.
const sharpened: ReaderOptions = { ...oneWay, minLineCount: 3 }

// Enlarging more reads no more; a larger live frame would take longer than a full one.
const largestScale = 2
const largestFrame = 400_000
const largestPhoto = 2_400_000

/** In whole pixels; the aiming frame on the screen shows the `crop`. */
export function regionOf(width: number, height: number, mode: DecodeMode): Region {
  if (mode !== 'crop' && mode !== 'sharp') return { x: 0, y: 0, width, height }
  const part = { width: Math.round(width * 0.8), height: Math.round(height * 0.5) }
  return { x: (width - part.width) >> 1, y: (height - part.height) >> 1, ...part }
}

/** Runs the engine once, so that the first frame does not pay for it. Throws where wasm cannot run. */
export async function warmDecodeFrame(overrides: ZXingModuleOverrides): Promise<void> {
  await prepareZXingModule({ overrides, fireImmediately: true })
  const side = 32
  await decodeFrame(
    { data: new Uint8ClampedArray(side * side * 4).fill(255), width: side, height: side },
    'full',
  )
}

/** The code nearest the middle, or null; `frame` is already cut. Rejects only when the engine fails. */
export const decodeFrame: DecodeFrame = async (frame, mode) => {
  switch (mode) {
    case 'crop':
      return findCode(frame, frame, oneWay)
    case 'full':
      return findCode(frame, frame, everyWay)
    case 'sharp':
      return findCode(frame, sharpen(frame, largestFrame), sharpened)
    case 'tilted':
      return findTilted(frame)
    case 'photo':
      return (
        (await findCode(frame, frame, everyWay)) ??
        (await findCode(frame, sharpen(frame, largestPhoto), { ...sharpened, tryRotate: true })) ??
        (await findTilted(frame))
      )
  }
}

function sharpen(frame: FramePixels, largest: number): FramePixels {
  const room = Math.sqrt(largest / (frame.width * frame.height))
  return sharpenFrame(frame, { scale: Math.max(1, Math.min(largestScale, room)), radius: 2, strength: 3 })
}

async function findTilted(frame: FramePixels): Promise<Read | null> {
  for (const { pixels, middle } of uprightParts(frame)) {
    const read = await findCode(pixels, pixels, oneWay, middle)
    if (read !== null) return read
  }
  return null
}

async function findCode(
  frame: FramePixels,
  pixels: FramePixels,
  options: ReaderOptions,
  middle: Point = { x: pixels.width / 2, y: pixels.height / 2 },
): Promise<Read | null> {
  const results = (await readBarcodes(pixels as ImageData, options)).filter(({ isValid }) => isValid)
  const look = { frame, pixels, results, options }
  const nearestFirst = [...results].sort((one, other) => distanceTo(middle, one) - distanceTo(middle, other))
  for (const result of nearestFirst) {
    const symbology = symbologyOf(result)
    if (symbology !== null && (await linesAgree(result, look))) return { text: result.text, symbology }
  }
  return null
}

function distanceTo(middle: Point, { position }: ReadResult): number {
  const { topLeft, topRight, bottomLeft, bottomRight } = position
  const x = (topLeft.x + topRight.x + bottomLeft.x + bottomRight.x) / 4
  const y = (topLeft.y + topRight.y + bottomLeft.y + bottomRight.y) / 4
  return Math.hypot(x - middle.x, y - middle.y)
}
