import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { barDirections } from '../../src/client/scanner/bar-direction.ts'
import { decodeFrame, warmDecodeFrame } from '../../src/client/scanner/decode-frame.ts'
import { decodeFrameWithZxingJs } from '../../src/client/scanner/decode-with-zxing-js.ts'
import { greyOf } from '../../src/client/scanner/frame-pixels.ts'
import {
  codeOf,
  lens,
  moved,
  photograph,
  printedCodes,
  printLabel,
  readLive,
  turned,
} from './tilted-label.ts'
import type { Surface } from './tilted-label.ts'

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  await warmDecodeFrame({ wasmBinary: new Uint8Array(readFileSync(file)).buffer })
})

describe('a label held at any angle', () => {
  // every-angle.test.ts has every fifteenth degree, `npm run bench -- scanner` every fifth.
  it.each(printedCodes)(
    'is read by the live camera as %s, and never as another code',
    async (symbology, printed, code) => {
      const label = await printLabel(symbology, printed)
      expect([...(await readLive(photograph(turned(label, 40), lens)))]).toEqual([code])
    },
  )

  it.each([25, 65])('is read on a photograph, at %i°', async (angle) => {
    for (const [symbology, printed, code] of printedCodes) {
      const read = await decodeFrame(
        photograph(turned(await printLabel(symbology, printed), angle), lens),
        'photo',
      )
      expect(read && codeOf(read)).toBe(code)
    }
  })

  it('is read where wasm does not run', async () => {
    for (const [symbology, printed, code] of printedCodes) {
      const read = await decodeFrameWithZxingJs(
        photograph(turned(await printLabel(symbology, printed), 55), lens),
        'tilted',
      )
      expect(read && codeOf(read)).toBe(code)
    }
  })

  it('is read beside something that is striped another way, more and clearer than it', async () => {
    const label = turned(await printLabel('code_128', 'BIB-000123'), 30)
    const cloth = turned((x) => (Math.floor(x / 5) % 2 === 0 ? 70 : 190), 110)
    const onCloth: Surface = (x, y) => (Math.hypot(x, y) < 320 ? label(x, y) : cloth(x, y))
    const frame = photograph(onCloth, { width: 1000, height: 1000 })
    expect(barDirections(greyOf(frame)).map(({ angle }) => Math.round((angle / Math.PI) * 180))).toEqual([
      110, 30,
    ])
    expect((await decodeFrame(frame, 'tilted'))?.text).toBe('BIB-000123')
  })

  it.each([-70, 70])('is the one nearest the middle of two on a tilted book', async (away) => {
    const isbn = await printLabel('ean_13', '9780441014989', { width: 300, height: 60 })
    const label = await printLabel('code_128', 'BIB-000123', { width: 360, height: 60 })
    const book = turned((x, y) => (Math.abs(y) < 50 ? label(x, y) : moved(isbn, 0, 2 * away)(x, y)), 40)
    expect((await decodeFrame(photograph(book, lens), 'tilted'))?.text).toBe('BIB-000123')
    expect((await decodeFrame(photograph(moved(book, away, -1.4 * away), lens), 'tilted'))?.text).toBe(
      '9780441014989',
    )
  })
})

describe('an ITF that is tilted', () => {
  it.each([10, 15, 20, 25])('is not read short, at %i°', async (angle) => {
    const label = await printLabel('itf', '31555510000017', { width: 560, height: 80 })
    const frame = photograph(turned(label, angle), lens)
    for (const mode of ['crop', 'full', 'sharp', 'tilted', 'photo'] as const) {
      const read = await decodeFrame(frame, mode)
      expect([mode, read?.text ?? '31555510000017']).toEqual([mode, '31555510000017'])
    }
  })

  it.each([10, 20, 45, 70])('is not read short where wasm does not run, at %i°', async (angle) => {
    const label = await printLabel('itf', '30712345000010')
    const frame = photograph(turned(label, angle), lens)
    for (const mode of ['crop', 'full', 'tilted', 'photo'] as const) {
      const read = await decodeFrameWithZxingJs(frame, mode)
      expect([mode, read?.text ?? '30712345000010']).toEqual([mode, '30712345000010'])
    }
  })
})

describe('the direction of bars', () => {
  it('is known to a degree, also where they are out of focus', async () => {
    for (const blur of [1, 5]) {
      for (const angle of [0, 3, 22, 45, 71, 90, 118, 179]) {
        const frame = photograph(turned(await printLabel('code_128', 'BIB-000123'), angle), {
          ...lens,
          blur: { x: blur, y: blur },
        })
        const [found] = barDirections(greyOf(frame))
        const away = Math.abs(((found?.angle ?? NaN) / Math.PI) * 180 - angle)
        expect(Math.min(away, 180 - away)).toBeLessThan(1)
      }
    }
  })

  it('is none on a blank sheet', () => {
    expect(barDirections(greyOf(photograph(() => 250, lens)))).toEqual([])
  })
})
