import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { ReaderOptions, ReadResult, ZXingModuleOverrides } from 'zxing-wasm/reader'
import type { Symbology } from '../../domain/bar-code.ts'
import type { FramePixels, Region } from './frame-pixels.ts'
import type { DecodeMode } from './frame-modes.ts'
import { linesAgree } from './lines-agree.ts'
import { sharpenFrame } from './sharpen-frame.ts'
import type { Read } from './scan-agreement.ts'

export type DecodeFrame = (frame: FramePixels, mode: DecodeMode) => Promise<Read | null>

// Several symbols, because a book shows its ISBN beside the library's label: the one nearest the middle is meant.
const common: ReaderOptions = {
  formats: ['Code128', 'Code39', 'Codabar', 'ITF', 'EAN13', 'UPCA', 'QRCode'],
  maxNumberOfSymbols: 4,
  // Not the default, which writes GS1 with brackets.
  textMode: 'Plain',
}

const everyWay: ReaderOptions = {
  ...common,
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
}
// Without tryHarder a line gives its first code only: 5 ms against 14 on a worst frame, but the wrong one of two.
const oneWay: ReaderOptions = { ...everyWay, tryRotate: false, tryInvert: false, tryDownscale: false }
// A sharpened picture also makes up bars: a line more has to agree.
const sharpened: ReaderOptions = { ...oneWay, minLineCount: 3 }

// Enlarged more than twice, no more is read; and beyond so many pixels a live frame would take longer than a full one.
const largestScale = 2
const largestFrame = 400_000
const largestPhoto = 2_400_000

/** The part of a frame that a mode looks at, in whole pixels. The aiming frame on the screen shows the `crop`. */
export function regionOf(width: number, height: number, mode: DecodeMode): Region {
  if (mode === 'full' || mode === 'photo') return { x: 0, y: 0, width, height }
  const part = { width: Math.round(width * 0.8), height: Math.round(height * 0.5) }
  return { x: (width - part.width) >> 1, y: (height - part.height) >> 1, ...part }
}

/** Loads the engine and runs it once, so that the first frame does not pay for it. Throws where wasm cannot run. */
export async function warmDecodeFrame(overrides: ZXingModuleOverrides): Promise<void> {
  await prepareZXingModule({ overrides, fireImmediately: true })
  const side = 32
  await decodeFrame(
    { data: new Uint8ClampedArray(side * side * 4).fill(255), width: side, height: side },
    'full',
  )
}

/**
 * Reads the bar code nearest the middle of pixels already cut to the mode's region; null when there is none.
 * Rejects only when the engine itself fails.
 */
export const decodeFrame: DecodeFrame = async (frame, mode) => {
  switch (mode) {
    case 'crop':
      return findCode(frame, frame, oneWay)
    case 'full':
      return findCode(frame, frame, everyWay)
    case 'sharp':
      return findCode(frame, sharpen(frame, largestFrame), sharpened)
    case 'photo':
      return (
        (await findCode(frame, frame, everyWay)) ??
        (await findCode(frame, sharpen(frame, largestPhoto), { ...sharpened, tryRotate: true }))
      )
  }
}

function sharpen(frame: FramePixels, largest: number): FramePixels {
  const room = Math.sqrt(largest / (frame.width * frame.height))
  return sharpenFrame(frame, { scale: Math.max(1, Math.min(largestScale, room)), radius: 2, strength: 3 })
}

/** The code nearest the middle of `pixels` (the frame, or a larger picture of it) that its lines agree on. */
async function findCode(
  frame: FramePixels,
  pixels: FramePixels,
  options: ReaderOptions,
): Promise<Read | null> {
  const results = (await readBarcodes(pixels as ImageData, options)).filter(({ isValid }) => isValid)
  const look = { frame, pixels, results, options }
  const nearestFirst = [...results].sort(
    (one, other) => distanceToMiddle(one, pixels) - distanceToMiddle(other, pixels),
  )
  for (const result of nearestFirst) {
    const symbology = symbologyOf(result)
    if (symbology !== null && (await linesAgree(result, look))) return { text: result.text, symbology }
  }
  return null
}

// zxing-cpp answers a UPC-A as the EAN-13 it is, with its leading 0.
function symbologyOf({ symbology, format }: ReadResult): Symbology | null {
  switch (symbology) {
    case 'Code128':
      return 'code_128'
    case 'Code39':
      return 'code_39'
    case 'Codabar':
      return 'codabar'
    case 'ITF':
      return 'itf'
    case 'QRCode':
      return 'qr_code'
    case 'EANUPC':
      return format === 'UPCA' ? 'upc_a' : 'ean_13'
    default:
      return null
  }
}

function distanceToMiddle({ position }: ReadResult, { width, height }: FramePixels): number {
  const { topLeft, topRight, bottomLeft, bottomRight } = position
  const x = (topLeft.x + topRight.x + bottomLeft.x + bottomRight.x) / 4
  const y = (topLeft.y + topRight.y + bottomLeft.y + bottomRight.y) / 4
  return Math.hypot(x - width / 2, y - height / 2)
}
