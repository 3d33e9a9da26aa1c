import {
  BarcodeFormat,
  BinaryBitmap,
  DecodeHintType,
  HybridBinarizer,
  MultiFormatReader,
  NotFoundException,
  RGBLuminanceSource,
} from '@zxing/library'
import type { Result } from '@zxing/library'
import type { Symbology } from '../../domain/bar-code.ts'
import type { DecodeFrame } from './decode-frame.ts'
import { barDirections, isAslant } from './bar-direction.ts'
import { greyOf } from './frame-pixels.ts'
import type { FramePixels, Region } from './frame-pixels.ts'
import type { DecodeMode } from './frame-modes.ts'
import { uprightParts } from './turn-frame.ts'

const symbologyOf = new Map<BarcodeFormat, Symbology>([
  [BarcodeFormat.CODE_128, 'code_128'],
  [BarcodeFormat.CODE_39, 'code_39'],
  [BarcodeFormat.CODABAR, 'codabar'],
  [BarcodeFormat.ITF, 'itf'],
  [BarcodeFormat.EAN_13, 'ean_13'],
  [BarcodeFormat.UPC_A, 'upc_a'],
  [BarcodeFormat.QR_CODE, 'qr_code'],
  [BarcodeFormat.DATA_MATRIX, 'data_matrix'],
])

const correctsItself = new Set([BarcodeFormat.QR_CODE, BarcodeFormat.DATA_MATRIX])

const everyKind = readerOf([...symbologyOf.keys()])
// It reads one only in a line that shows nothing else.
const codabarAlone = readerOf([BarcodeFormat.CODABAR])

function readerOf(formats: BarcodeFormat[]): MultiFormatReader {
  const reader = new MultiFormatReader()
  reader.setHints(new Map([[DecodeHintType.POSSIBLE_FORMATS, formats]]))
  return reader
}

// The library takes the first line it reads, so lines this far above and below must agree.
const otherLines = [1, 2, 3, 4, 6, 8, 12, 16, 24]
const majority = 4

interface Grey {
  data: Uint8ClampedArray
  width: number
  height: number
}

interface Picture {
  grey: Grey
  reader: MultiFormatReader
  /** Whether bars may stand aslant in it. */
  mayBeAslant: () => boolean
}

/** Slower, for browsers without wasm; same promise as decodeFrame of decode-frame.ts. */
export const decodeFrameWithZxingJs: DecodeFrame = (frame, mode) => {
  for (const picture of picturesOf(frame, mode)) {
    const result = findCode(picture)
    const symbology = result === null ? undefined : symbologyOf.get(result.getBarcodeFormat())
    if (result !== null && symbology !== undefined) {
      return Promise.resolve({ text: result.getText(), symbology })
    }
  }
  return Promise.resolve(null)
}

/** Each way in which the mode looks at the frame, one after the other. */
function* picturesOf(frame: FramePixels, mode: DecodeMode): Generator<Picture> {
  const whole = {
    grey: roundedGreyOf(frame),
    reader: everyKind,
    mayBeAslant: () => barDirections(greyOf(frame)).some(isAslant),
  }
  if (mode !== 'tilted') yield whole
  if (mode === 'full' || mode === 'photo') yield { ...whole, grey: quarterTurn(whole.grey) }
  if (mode !== 'tilted' && mode !== 'photo') return
  for (const { pixels, bars } of uprightParts(frame)) {
    const grey = roundedGreyOf(pixels)
    yield { grey, reader: everyKind, mayBeAslant: () => false }
    yield { grey: whitened(grey, bars), reader: codabarAlone, mayBeAslant: () => false }
  }
}

function findCode({ grey, reader, mayBeAslant }: Picture): Result | null {
  const result = findResult(grey, reader)
  if (result === null || correctsItself.has(result.getBarcodeFormat())) return result
  if (result.getBarcodeFormat() === BarcodeFormat.ITF && mayBeAslant()) return null
  return linesAgree(result, grey, reader) ? result : null
}

/** White but for the region. */
function whitened({ data, width, height }: Grey, region: Region): Grey {
  const white = new Uint8ClampedArray(data.length).fill(255)
  for (let y = region.y; y < region.y + region.height; y++) {
    const from = y * width + region.x
    white.set(data.subarray(from, from + region.width), from)
  }
  return { data: white, width, height }
}

function linesAgree(result: Result, { data, width, height }: Grey, reader: MultiFormatReader): boolean {
  const row = Math.round(result.getResultPoints()[0]?.getY() ?? 0)
  const texts = otherLines
    .flatMap((away) => [row - away, row + away])
    .filter((other) => other >= 0 && other < height)
    .map((other) => data.slice(other * width, (other + 1) * width))
    .flatMap((line) => findResult({ data: line, width, height: 1 }, reader)?.getText() ?? [])
  const same = texts.filter((text) => text === result.getText()).length
  return same > 0 && same >= majority * (texts.length - same)
}

function findResult({ data, width, height }: Grey, reader: MultiFormatReader): Result | null {
  try {
    const bitmap = new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(data, width, height)))
    return reader.decodeWithState(bitmap)
  } catch (error) {
    if (error instanceof NotFoundException) return null
    throw error
  }
}

function roundedGreyOf(frame: FramePixels): Grey {
  const { data, width, height } = greyOf(frame)
  return { data: new Uint8ClampedArray(data), width, height }
}

// The library's own rotation (TRY_HARDER) needs a canvas.
function quarterTurn({ data, width, height }: Grey): Grey {
  const turned = new Uint8ClampedArray(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) turned[x * height + (height - 1 - y)] = data[y * width + x] ?? 0
  }
  return { data: turned, width: height, height: width }
}
