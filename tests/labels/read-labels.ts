import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import * as mupdf from 'mupdf'

import { cleanScan } from '../../src/domain/bar-code.ts'
import { decodeFrame, warmDecodeFrame } from '../../src/client/scanner/decode-frame.ts'

const engine = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
const warm = warmDecodeFrame({ wasmBinary: new Uint8Array(readFileSync(engine)).buffer })

type Frame = { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number }

/** What the counter makes of a photograph of a label: the code as it is looked up, or null. */
export async function readFrame(frame: Frame): Promise<string | null> {
  await warm
  const read = await decodeFrame(frame, 'photo')
  return read && cleanScan(read.text, read.symbology)
}

/** What is read of bars and spaces in turn, each so many modules wide. */
export function readDrawn(widths: readonly number[], pixels = 4): Promise<string | null> {
  const margin = 15 * pixels
  const width = widths.reduce((sum, one) => sum + one, 0) * pixels + 2 * margin
  const height = 100
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  let x = margin
  for (const [at, one] of widths.entries()) {
    const end = x + one * pixels
    if (at % 2 === 0) {
      for (let y = 20; y < height - 20; y += 1) {
        for (let dot = x; dot < end; dot += 1) data.fill(0, (y * width + dot) * 4, (y * width + dot) * 4 + 3)
      }
    }
    x = end
  }
  return readFrame({ data, width, height })
}

/** Each page in pixels, as a printer of so many dots an inch draws it. */
export function pagesOf(file: Uint8Array, dpi: number): Frame[] {
  const document = mupdf.Document.openDocument(file, 'application/pdf')
  const scale = dpi / 72
  return Array.from({ length: document.countPages() }, (_, at) => {
    const page = document.loadPage(at)
    const drawn = page.toPixmap([scale, 0, 0, scale, 0, 0], mupdf.ColorSpace.DeviceRGB, true, true)
    const width = drawn.getWidth()
    const height = drawn.getHeight()
    const from = drawn.getPixels()
    const data = new Uint8ClampedArray(width * height * 4).fill(255)
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const at = (y * width + x) * 4
        const over = 255 - (from[at + 3] ?? 255)
        for (let part = 0; part < 3; part += 1) data[at + part] = (from[at + part] ?? 0) + over
      }
    }
    drawn.destroy()
    page.destroy()
    return { data, width, height }
  })
}

type Box = { x: number; y: number; width: number; height: number }

/** What is read within a box of a page, in millimetres. */
export function readWithin(page: Frame, dpi: number, box: Box): Promise<string | null> {
  return readFrame(cut(page, dpi, box))
}

export function cut(page: Frame, dpi: number, { x, y, width, height }: Box): Frame {
  const dots = (mm: number) => Math.round((mm * dpi) / 25.4)
  const left = Math.max(0, dots(x))
  const top = Math.max(0, dots(y))
  const right = Math.min(page.width, dots(x + width))
  const bottom = Math.min(page.height, dots(y + height))
  const data = new Uint8ClampedArray((right - left) * (bottom - top) * 4)
  for (let row = top; row < bottom; row += 1) {
    const from = (row * page.width + left) * 4
    data.set(page.data.subarray(from, from + (right - left) * 4), (row - top) * (right - left) * 4)
  }
  return { data, width: right - left, height: bottom - top }
}

/** Whether nothing is drawn there. */
export const isBlank = (page: Frame, dpi: number, box: Box): boolean =>
  cut(page, dpi, box).data.every((value) => value === 255)

export async function bytesOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}
