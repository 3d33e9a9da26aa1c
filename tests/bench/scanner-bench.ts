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
import { readBarcodes } from 'zxing-wasm/reader'
import { cleanScan } from '../../src/domain/bar-code.ts'
import type { Symbology } from '../../src/domain/bar-code.ts'
import { decodeFrame, regionOf, warmDecodeFrame } from '../../src/client/scanner/decode-frame.ts'
import { frameModes } from '../../src/client/scanner/frame-modes.ts'
import type { DecodeMode } from '../../src/client/scanner/frame-modes.ts'
import { drawBarCode } from '../support/fake-camera.ts'
import { findPhotographs } from '../scanner/photographs.ts'
import type { Photograph } from '../scanner/photographs.ts'
import { quarterTurn } from '../scanner/read-png.ts'
import type { Pixels } from '../scanner/read-png.ts'
import { timeCamera, timeFirstScan } from './camera-bench.ts'
import { readFilms, readTilted } from './film-bench.ts'
import { asRatio, benchScale, inMs, markdownOf, median, quantile, skipped } from './section.ts'
import type { Section, Table } from './section.ts'
import { isBuilt } from './server-process.ts'

type Decode = (pixels: Pixels) => Promise<string | null>

/** The worker's own decoder beside the two libraries, on the same pixels. */
export const scannerSection: Section = {
  name: 'scanner',
  async *run() {
    const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
    await warmDecodeFrame({ wasmBinary: new Uint8Array(readFileSync(file)).buffer })
    const photographs = findPhotographs()
    yield photographs.length === 0 ? noPhotographs : await readPhotographs(photographs)
    yield await readTilted()
    yield await readFilms()
    yield await timeEmptyFrames()
    if (isBuilt()) yield await timeFirstScan()
    yield isBuilt()
      ? await timeCamera(scribbledFrame())
      : skipped('Scanner in Chromium', 'the product is not built (npm run build)')
  },
}

/** Prints the section alone. */
async function benchScanner(): Promise<void> {
  for await (const table of scannerSection.run()) console.log(markdownOf(table))
}

const noPhotographs: Table = {
  title: 'Scanner, photographs',
  notes: ['Not found (set COMPTOIR_SHARED to the folder that holds data/scan): skipped.'],
  columns: [],
  rows: [],
}

async function readPhotographs(photographs: Photograph[]): Promise<Table> {
  const engines: [string, Decode][] = [
    ['zxing-wasm, tries everything', bareWasm],
    ['@zxing/library with hints', bareLibrary],
    ['shipped, first frame', frames(1)],
    ['shipped, two frames', frames(2)],
    ['shipped, five frames', frames(5)],
    ['shipped, photograph', async (pixels) => cleaned(await decodeFrame(pixels, 'photo'))],
  ]
  const tallies = engines.map(() => ({ read: [0, 0, 0, 0], misread: [0, 0, 0, 0], times: [] as number[] }))
  for (const { pixels, expected } of photographs) {
    let image = pixels
    for (let way = 0; way < 4; way++) {
      for (const [at, [, decode]] of engines.entries()) {
        const tally = tallies[at]
        if (tally === undefined) continue
        const start = performance.now()
        const code = await decode(image)
        tally.times.push(performance.now() - start)
        const count = code === expected ? tally.read : tally.misread
        if (code !== null) count[way] = (count[way] ?? 0) + 1
      }
      image = quarterTurn(image)
    }
  }
  return {
    title: `Scanner, ${photographs.length} photographs`,
    notes: [
      'Read right, upright and turned by 90°, 180° and 270°; « five frames » is a camera held still, until the first read.',
    ],
    columns: ['engine', 'upright', '90°', '180°', '270°', 'misread', 'median', 'p95'],
    rows: engines.map(([name], at) => {
      const { read = [], misread = [], times = [] } = tallies[at] ?? {}
      const wrong = misread.reduce((sum, count) => sum + count, 0)
      return [
        name,
        ...read.map(String),
        String(wrong),
        `${inMs(median(times))} ms`,
        `${inMs(quantile(times, 0.95))} ms`,
      ]
    }),
  }
}

/** What a camera gives that shows the same picture for as many frames. */
function frames(count: number): Decode {
  return async (pixels) => {
    for (let turn = 0; turn < count; turn++) {
      const mode = frameModes[turn % frameModes.length] ?? 'full'
      const code = cleaned(await decodeFrame(cut(pixels, mode), mode))
      if (code !== null) return code
    }
    return null
  }
}

async function timeEmptyFrames(): Promise<Table> {
  const empty = [blankFrame(), scribbledFrame(), await maimedFrame()]
  const ways: [string, (frame: Pixels) => Promise<unknown>][] = [
    ['zxing-wasm, tries everything', bareWasm],
    ['@zxing/library with hints', bareLibrary],
    ...frameModes
      .filter((mode, at) => frameModes.indexOf(mode) === at)
      .map((mode): [string, (frame: Pixels) => Promise<unknown>] => [
        `shipped, ${mode}`,
        // A browser's canvas cuts the region while it copies: no part of decoding.
        (frame) => decodeFrame(cutOnce(frame, mode), mode),
      ]),
  ]
  const times = ways.map(() => empty.map((): number[] => []))
  // In turns, so that what else the machine does slows all of them alike.
  for (let round = 0; round < (benchScale === 'full' ? 30 : 12); round++) {
    for (const [place, frame] of empty.entries()) {
      for (const [at, [name, decode]] of ways.entries()) {
        const start = process.cpuUsage()
        const read = await decode(frame)
        const { user, system } = process.cpuUsage(start)
        times[at]?.[place]?.push((user + system) / 1000)
        if (read !== null) throw new Error(`${name} read a code where there is none`)
      }
    }
  }
  const baseline = times[0] ?? []
  return {
    title: 'Scanner, one frame of 1280 × 720 without a code',
    notes: ['Processor time, median, then beside zxing-wasm on the same whole frame in the same run.'],
    columns: ['engine', 'blank', 'scribbled', 'bars without a code'],
    rows: ways.map(([name], at) => [
      name,
      ...empty.map((_, place) => {
        const mine = median(times[at]?.[place] ?? [])
        return `${inMs(mine)} ms, ${asRatio(mine / median(baseline[place] ?? []))}`
      }),
    ]),
  }
}

const size = { width: 1280, height: 720 }

function blankFrame(): Pixels {
  return { data: new Uint8ClampedArray(size.width * size.height * 4).fill(200), ...size }
}

/** Noise over blotches: what a camera sees of a carpet. The same at every run. */
function scribbledFrame(): Pixels {
  const frame = blankFrame()
  let seed = 1
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
      const blotch = 60 * Math.sin(x / 17) * Math.cos(y / 23) + 40 * Math.sin((x + y) / 7)
      const at = (y * size.width + x) * 4
      frame.data.fill(128 + blotch + (seed >>> 26), at, at + 3)
    }
  }
  return frame
}

/** Four bar codes with a stripe torn out of their middle: begun again and again, never read. */
async function maimedFrame(): Promise<Pixels> {
  const frame = blankFrame()
  const label = await drawBarCode('9780441014989', 'ean_13', 3)
  for (const [left, top] of [
    [40, 20],
    [640, 20],
    [40, 360],
    [640, 360],
  ] as const) {
    for (let y = 0; y < Math.min(label.height, 320); y++) {
      for (let x = 0; x < label.width; x++) {
        const isTorn = Math.abs(x - label.width / 2) < 25
        const at = ((top + y) * size.width + left + x) * 4
        frame.data.fill(isTorn ? 120 : (label.data[y * label.width + x] ?? 255), at, at + 3)
      }
    }
  }
  return frame
}

const cuts = new WeakMap<Pixels, Map<DecodeMode, Pixels>>()

function cutOnce(pixels: Pixels, mode: DecodeMode): Pixels {
  const known = cuts.get(pixels) ?? new Map<DecodeMode, Pixels>()
  cuts.set(pixels, known)
  const made = known.get(mode) ?? cut(pixels, mode)
  known.set(mode, made)
  return made
}

function cut({ data, width, height }: Pixels, mode: DecodeMode): Pixels {
  const part = regionOf(width, height, mode)
  const region = new Uint8ClampedArray(part.width * part.height * 4)
  for (let y = 0; y < part.height; y++) {
    const from = ((part.y + y) * width + part.x) * 4
    region.set(data.subarray(from, from + part.width * 4), y * part.width * 4)
  }
  return { data: region, width: part.width, height: part.height }
}

function cleaned(read: { text: string; symbology: Symbology } | null): string | null {
  return read && cleanScan(read.text, read.symbology)
}

const symbologyOfWasm: Record<string, Symbology> = {
  Code128: 'code_128',
  Code39: 'code_39',
  Codabar: 'codabar',
  ITF: 'itf',
  QRCode: 'qr_code',
  DataMatrix: 'data_matrix',
  EANUPC: 'ean_13',
}

/** What its documentation names as the most thorough; its first valid symbol is taken. */
async function bareWasm(pixels: Pixels): Promise<string | null> {
  const [found] = await readBarcodes(pixels as ImageData, {
    formats: ['Code128', 'Code39', 'Codabar', 'ITF', 'EAN13', 'UPCA', 'QRCode', 'DataMatrix'],
    tryHarder: true,
    tryRotate: true,
    tryInvert: true,
    tryDownscale: true,
    textMode: 'Plain',
  })
  if (found === undefined) return null
  return cleanScan(found.text, found.format === 'UPCA' ? 'upc_a' : symbologyOfWasm[found.symbology])
}

const formats = new Map<BarcodeFormat, Symbology>([
  [BarcodeFormat.CODE_128, 'code_128'],
  [BarcodeFormat.CODE_39, 'code_39'],
  [BarcodeFormat.CODABAR, 'codabar'],
  [BarcodeFormat.ITF, 'itf'],
  [BarcodeFormat.EAN_13, 'ean_13'],
  [BarcodeFormat.UPC_A, 'upc_a'],
  [BarcodeFormat.QR_CODE, 'qr_code'],
  [BarcodeFormat.DATA_MATRIX, 'data_matrix'],
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
