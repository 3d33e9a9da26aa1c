import { readFileSync } from 'node:fs'
import { mkdtemp, open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import type { WriteInputBarcodeFormat } from 'zxing-wasm/writer'
import type { Symbology } from '../../src/domain/bar-code.ts'

const width = 640
const height = 480
const framesPerSecond = 10
/** 1.5 s a code and at the end, 0.5 s of an empty table between two, so that the first code counts again. */
const framesPerCode = 15
const framesBetween = 5
const framesAtEnd = 15
const table = 200

const formatOf: Record<Symbology, WriteInputBarcodeFormat> = {
  code_128: 'Code128',
  code_39: 'Code39',
  codabar: 'Codabar',
  itf: 'ITF',
  ean_13: 'EAN13',
  upc_a: 'UPCA',
  qr_code: 'QRCode',
  data_matrix: 'DataMatrix',
}

/** A photograph of a bar code, as a file to be chosen. */
export async function makePhotograph(code: string, format: Symbology): Promise<Buffer> {
  await prepareWriter()
  const { image, error } = await writeBarcode(code, {
    format: formatOf[format],
    scale: 4,
    addQuietZones: true,
  })
  if (image === null) throw new Error(`${code} cannot be drawn as ${format}: ${error}`)
  return Buffer.from(await image.arrayBuffer())
}

export interface GreyImage {
  data: Uint8Array
  width: number
  height: number
}

/** Draws a bar code on a white label with quiet zones; Codabar without guards gets A–B. */
export async function drawBarCode(code: string, format: Symbology, scale = 3): Promise<GreyImage> {
  await prepareWriter()
  const text = format === 'codabar' && /^\d/.test(code) ? `A${code}B` : code
  const { symbol, error } = await writeBarcode(text, { format: formatOf[format] })
  if (error !== '') throw new Error(`${code} cannot be drawn as ${format}: ${error}`)
  const quiet = 12
  const image: GreyImage = {
    data: new Uint8Array((symbol.width + 2 * quiet) * scale * (symbol.height + 2 * quiet) * scale).fill(255),
    width: (symbol.width + 2 * quiet) * scale,
    height: (symbol.height + 2 * quiet) * scale,
  }
  for (let y = 0; y < symbol.height * scale; y++) {
    for (let x = 0; x < symbol.width * scale; x++) {
      const module = symbol.data[Math.floor(y / scale) * symbol.width + Math.floor(x / scale)] ?? 255
      image.data[(y + quiet * scale) * image.width + x + quiet * scale] = module
    }
  }
  return image
}

async function prepareWriter(): Promise<void> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm')
  const wasmBinary = new Uint8Array(readFileSync(file)).buffer
  await prepareZXingModule({
    overrides: { wasmBinary },
    // Another copy of the same bytes is no reason to load the engine again.
    equalityFn: () => true,
    fireImmediately: true,
  })
}

/** Makes a Y4M film of bar codes for Chromium's `--use-file-for-fake-video-capture`; returns its path. */
export async function makeCameraFile(codes: string[], format: Symbology): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'fake-camera-')), 'codes.y4m')
  const file = await open(path, 'w')
  try {
    await file.write(`YUV4MPEG2 W${width} H${height} F${framesPerSecond}:1 Ip A1:1 C420jpeg\n`)
    for (const code of codes) {
      await writeFrames(await drawBarCode(code, format, 2), framesPerCode)
      await writeFrames(null, framesBetween)
    }
    await writeFrames(null, framesAtEnd - framesBetween)
  } finally {
    await file.close()
  }
  return path

  async function writeFrames(label: GreyImage | null, count: number): Promise<void> {
    const frame = frameWith(label)
    for (let n = 0; n < count; n++) {
      await file.write('FRAME\n')
      await file.write(frame)
    }
  }
}

/** One frame: the label in the middle of a grey table, then two planes of colour that say grey. */
function frameWith(label: GreyImage | null): Uint8Array {
  const frame = new Uint8Array((width * height * 3) / 2)
    .fill(table, 0, width * height)
    .fill(128, width * height)
  if (label === null) return frame
  if (label.width > width || label.height > height) throw new Error('bar code too large for the fake camera')
  const left = (width - label.width) >> 1
  const top = (height - label.height) >> 1
  for (let y = 0; y < label.height; y++) {
    frame.set(label.data.subarray(y * label.width, (y + 1) * label.width), (top + y) * width + left)
  }
  return frame
}

/** What Chromium is started with so that its camera plays a film, asked for without a question. */
export const playing = (film: string): string[] => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-video-capture=${film}`,
]
