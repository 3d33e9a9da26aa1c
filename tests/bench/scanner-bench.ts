import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  BarcodeFormat,
  BinaryBitmap,
  DecodeHintType,
  HybridBinarizer,
  MultiFormatReader,
  RGBLuminanceSource,
} from '@zxing/library'
import { cleanScan } from '../../src/domain/bar-code.ts'
import type { Symbology } from '../../src/domain/bar-code.ts'
import { decodeFrame, regionOf, warmDecodeFrame } from '../../src/client/scanner/decode-frame.ts'
import { findPhotographs } from '../scanner/photographs.ts'
import { quarterTurn } from '../scanner/read-png.ts'
import type { Pixels } from '../scanner/read-png.ts'

type Decode = (pixels: Pixels) => Promise<string | null>

/** Prints how many photographs the shipped decoder reads, upright and turned, beside bare @zxing/library. */
export async function benchScanner(): Promise<void> {
  const photographs = findPhotographs()
  if (photographs.length === 0) {
    console.log('Scanner: no photographs (set COMPTOIR_SHARED to the folder that holds data/scan): skipped.')
    return
  }
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  await warmDecodeFrame({ wasmBinary: new Uint8Array(readFileSync(file)).buffer })

  console.log(`Scanner, ${photographs.length} photographs: read upright / at 90°, misread, median / p95 ms`)
  const engines: [string, Decode][] = [
    ['shipped: crop, then full', shipped],
    ['@zxing/library with hints', bareLibrary],
  ]
  for (const [name, decode] of engines) {
    const times: number[] = []
    const read = [0, 0]
    let misread = 0
    for (const { pixels, expected } of photographs) {
      for (const [way, image] of [pixels, quarterTurn(pixels)].entries()) {
        const start = performance.now()
        const code = await decode(image)
        times.push(performance.now() - start)
        if (code === expected) read[way] = (read[way] ?? 0) + 1
        else if (code !== null) misread++
      }
    }
    times.sort((a, b) => a - b)
    const at = (part: number): string => (times[Math.floor(times.length * part)] ?? 0).toFixed(1)
    console.log(`  ${name.padEnd(26)} ${read.join(' / ')}, ${misread}, ${at(0.5)} / ${at(0.95)}`)
  }
}

/** What a still camera would give after its first two frames. */
async function shipped(pixels: Pixels): Promise<string | null> {
  const read = (await decodeFrame(cropOf(pixels), 'crop')) ?? (await decodeFrame(pixels, 'full'))
  return read && cleanScan(read.text, read.symbology)
}

function cropOf({ data, width, height }: Pixels): Pixels {
  const part = regionOf(width, height, 'crop')
  const crop = new Uint8ClampedArray(part.width * part.height * 4)
  for (let y = 0; y < part.height; y++) {
    const from = ((part.y + y) * width + part.x) * 4
    crop.set(data.subarray(from, from + part.width * 4), y * part.width * 4)
  }
  return { data: crop, width: part.width, height: part.height }
}

const formats = new Map<BarcodeFormat, Symbology>([
  [BarcodeFormat.CODE_128, 'code_128'],
  [BarcodeFormat.CODE_39, 'code_39'],
  [BarcodeFormat.CODABAR, 'codabar'],
  [BarcodeFormat.ITF, 'itf'],
  [BarcodeFormat.EAN_13, 'ean_13'],
  [BarcodeFormat.UPC_A, 'upc_a'],
  [BarcodeFormat.QR_CODE, 'qr_code'],
])
const reader = new MultiFormatReader()
reader.setHints(new Map([[DecodeHintType.POSSIBLE_FORMATS, [...formats.keys()]]]))

function bareLibrary({ data, width, height }: Pixels): Promise<string | null> {
  const grey = new Uint8ClampedArray(width * height)
  for (let at = 0; at < grey.length; at++) {
    const from = at * 4
    grey[at] = 0.299 * (data[from] ?? 0) + 0.587 * (data[from + 1] ?? 0) + 0.114 * (data[from + 2] ?? 0)
  }
  try {
    const bitmap = new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(grey, width, height)))
    const result = reader.decodeWithState(bitmap)
    return Promise.resolve(cleanScan(result.getText(), formats.get(result.getBarcodeFormat())))
  } catch {
    // A miss: the library throws for it.
    return Promise.resolve(null)
  }
}

if (process.argv[1]?.endsWith('scanner-bench.ts')) await benchScanner()
