import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { cleanScan } from '../../src/domain/bar-code.ts'
import { decodeFrame, regionOf, warmDecodeFrame } from '../../src/client/scanner/decode-frame.ts'
import { decodeFrameWithZxingJs } from '../../src/client/scanner/decode-with-zxing-js.ts'
import { drawBarCode } from '../support/fake-camera.ts'
import type { GreyImage } from '../support/fake-camera.ts'
import { quarterTurn } from './read-png.ts'
import type { Pixels } from './read-png.ts'
import { printedCodes } from './tilted-label.ts'

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  await warmDecodeFrame({ wasmBinary: new Uint8Array(readFileSync(file)).buffer })
})

describe('decodeFrame', () => {
  it.each(printedCodes)('reads %s upright and turned', async (symbology, printed, code) => {
    const label = pixelsOf(await drawBarCode(printed, symbology))
    for (const image of [label, quarterTurn(label)]) {
      const read = await decodeFrame(image, 'full')
      expect(read && cleanScan(read.text, read.symbology)).toBe(code)
    }
    for (const mode of ['crop', 'sharp'] as const) {
      const read = await decodeFrame(label, mode)
      expect(read && cleanScan(read.text, read.symbology)).toBe(code)
    }
  })

  it.each([20, 720])('takes the code nearest the middle, whichever side the other is on', async (left) => {
    const isbn = await drawBarCode('9780441014989', 'ean_13', 2)
    const label = await drawBarCode('BIB-000123', 'code_128', 2)
    const book = blank(1000, 300)
    paste(book, isbn, left, 80)
    paste(book, label, (book.width - label.width) >> 1, 80)
    expect((await decodeFrame(book, 'crop'))?.text).toBe('BIB-000123')
    expect((await decodeFrame(book, 'full'))?.text).toBe('BIB-000123')
  })

  it.each(['crop', 'full', 'sharp', 'tilted', 'photo'] as const)(
    'answers null where %s finds no code',
    async (mode) => {
      expect(await decodeFrame(blank(320, 240), mode)).toBeNull()
    },
  )

  it('looks at the middle of a frame when it crops', () => {
    expect(regionOf(1280, 720, 'crop')).toEqual({ x: 128, y: 180, width: 1024, height: 360 })
    expect(regionOf(1280, 720, 'full')).toEqual({ x: 0, y: 0, width: 1280, height: 720 })
  })
})

describe('decodeFrameWithZxingJs', () => {
  it.each(printedCodes)('reads %s upright and turned', async (symbology, printed, code) => {
    const label = pixelsOf(await drawBarCode(printed, symbology))
    for (const image of [label, quarterTurn(label)]) {
      const read = await decodeFrameWithZxingJs(image, 'full')
      expect(read && cleanScan(read.text, read.symbology)).toBe(code)
    }
  })
})

function pixelsOf(image: GreyImage): Pixels {
  const pixels = blank(image.width, image.height)
  paste(pixels, image, 0, 0)
  return pixels
}

function blank(width: number, height: number): Pixels {
  return { data: new Uint8ClampedArray(width * height * 4).fill(255), width, height }
}

function paste(on: Pixels, image: GreyImage, left: number, top: number): void {
  for (let y = 0; y < Math.min(image.height, on.height - top); y++) {
    for (let x = 0; x < Math.min(image.width, on.width - left); x++) {
      const at = ((top + y) * on.width + left + x) * 4
      on.data.fill(image.data[y * image.width + x] ?? 255, at, at + 3)
    }
  }
}
