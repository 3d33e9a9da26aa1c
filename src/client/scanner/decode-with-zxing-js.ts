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
import { greyOf } from './frame-pixels.ts'
import type { FramePixels } from './frame-pixels.ts'
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

const hints = new Map<DecodeHintType, unknown>([[DecodeHintType.POSSIBLE_FORMATS, [...symbologyOf.keys()]]])
const reader = new MultiFormatReader()
reader.setHints(hints)

// The library takes the first line it reads, so lines this far above and below must agree.
const otherLines = [1, 2, 3, 4, 6, 8, 12, 16, 24]
const majority = 4

interface Grey {
  data: Uint8ClampedArray
  width: number
  height: number
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
function* picturesOf(frame: FramePixels, mode: DecodeMode): Generator<Grey> {
  const upright = roundedGreyOf(frame)
  if (mode !== 'tilted') yield upright
  if (mode === 'full' || mode === 'photo') yield quarterTurn(upright)
  if (mode !== 'tilted' && mode !== 'photo') return
  for (const { pixels } of uprightParts(frame)) yield roundedGreyOf(pixels)
}

function findCode(grey: Grey): Result | null {
  const result = findResult(grey)
  if (result === null || correctsItself.has(result.getBarcodeFormat())) return result
  return linesAgree(result, grey) ? result : null
}

function linesAgree(result: Result, { data, width, height }: Grey): boolean {
  const row = Math.round(result.getResultPoints()[0]?.getY() ?? 0)
  const texts = otherLines
    .flatMap((away) => [row - away, row + away])
    .filter((other) => other >= 0 && other < height)
    .map((other) => data.slice(other * width, (other + 1) * width))
    .flatMap((line) => findResult({ data: line, width, height: 1 })?.getText() ?? [])
  const same = texts.filter((text) => text === result.getText()).length
  return same > 0 && same >= majority * (texts.length - same)
}

function findResult({ data, width, height }: Grey): Result | null {
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
