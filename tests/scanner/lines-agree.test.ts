import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { cleanScan } from '../../src/domain/bar-code.ts'
import { decodeFrame, warmDecodeFrame } from '../../src/client/scanner/decode-frame.ts'
import { decodeFrameWithZxingJs } from '../../src/client/scanner/decode-with-zxing-js.ts'
import type { DecodeMode } from '../../src/client/scanner/frame-modes.ts'
import { drawBarCode } from '../support/fake-camera.ts'
import { readBlackBox } from './photographs.ts'
import { quarterTurn } from './read-png.ts'
import type { Pixels } from './read-png.ts'

const first = '9780441014989'
const second = '9780804816632'
const modes: DecodeMode[] = ['crop', 'full', 'sharp', 'photo']

const margin = 40
const barsHeight = 120

/** A label with lines of several codes, by `codeAt`; null tears a line. */
async function labelOf(codeAt: (line: number) => string | null): Promise<Pixels> {
  const printed = new Map<string, Uint8Array>()
  let width = 0
  for (const code of [first, second]) {
    const drawn = await drawBarCode(code, 'ean_13')
    const middle = drawn.height >> 1
    printed.set(code, drawn.data.subarray(middle * drawn.width, (middle + 1) * drawn.width))
    width = drawn.width
  }
  const height = barsHeight + 2 * margin
  const pixels = { data: new Uint8ClampedArray(width * height * 4).fill(255), width, height }
  for (let line = 0; line < barsHeight; line++) {
    const code = codeAt(line)
    const bars = printed.get(code ?? first)
    for (let x = 0; x < width; x++) {
      // Torn: a hole in the middle third, another in each line.
      const isHole = code === null && Math.abs(x - width / 2 - (line % 7)) < width / 6
      pixels.data.fill(
        isHole ? 255 : (bars?.[x] ?? 255),
        ((margin + line) * width + x) * 4,
        ((margin + line) * width + x) * 4 + 3,
      )
    }
  }
  return pixels
}

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  await warmDecodeFrame({ wasmBinary: new Uint8Array(readFileSync(file)).buffer })
})

const disagreeing: [string, (line: number) => string | null][] = [
  [
    'two lines side by side say a code, the others none',
    (line) => (line === 60 || line === 61 ? first : null),
  ],
  ['a third of the lines says another code', (line) => (line % 12 < 4 ? second : first)],
  ['the lines say two codes in turns', (line) => (line % 8 < 4 ? second : first)],
  [
    'the upper half says one code, the lower half another',
    (line) => (line < barsHeight / 2 ? second : first),
  ],
]

describe('bars whose lines disagree', () => {
  it.each(disagreeing)('are no code where %s', async (_name, codeAt) => {
    const label = await labelOf(codeAt)
    for (const mode of modes) expect([mode, await decodeFrame(label, mode)]).toEqual([mode, null])
    expect(await decodeFrame(quarterTurn(label), 'full')).toBeNull()
  })

  it('are no code for the slow decoder either', async () => {
    const label = await labelOf((line) => (line % 8 < 4 ? second : first))
    expect(await decodeFrameWithZxingJs(label, 'full')).toBeNull()
    expect(
      await decodeFrameWithZxingJs(await labelOf((line) => (line === 60 ? first : null)), 'full'),
    ).toBeNull()
  })
})

describe('bars whose lines agree', () => {
  it.each([
    ['a slit of them is left', (line: number) => (line % 100 < 20 ? first : null)],
    ['a line here and there says another code', (line: number) => (line % 30 === 3 ? second : first)],
    ['another code stands below them', (line: number) => (line < 50 ? first : line < 80 ? null : second)],
  ])('are read where %s', async (_name, codeAt) => {
    const label = await labelOf(codeAt)
    for (const mode of modes) expect([mode, (await decodeFrame(label, mode))?.text]).toEqual([mode, first])
  })
})

const blackBox = process.env['COMPTOIR_BLACKBOX']

describe.skipIf(blackBox === undefined)('on every black-box photograph of zxing', () => {
  // Measured: 505 of these 614, whichever way they are turned; the others are blurred beyond the engine.
  it('reads as many as measured, and none wrong', async () => {
    const reads: { path: string; expected: string; code: string | null }[] = []
    for (const { path, expected, pixels } of readBlackBox(blackBox ?? '')) {
      for (const picture of [pixels, quarterTurn(pixels)]) {
        const read = await decodeFrame(picture, 'photo')
        reads.push({ path, expected, code: read && cleanScan(read.text, read.symbology) })
      }
    }
    // Some show two codes: the other one is what other photographs of their set ask for.
    const setOf = (path: string) => path.replace(/\/.*/, '')
    const wrong = reads.filter(
      ({ path, code }) =>
        code !== null && !reads.some((other) => setOf(other.path) === setOf(path) && other.expected === code),
    )
    expect(wrong).toEqual([])
    expect(reads.length).toBe(2 * 614)
    expect(reads.filter(({ expected, code }) => expected === code).length).toBeGreaterThanOrEqual(2 * 505)
  }, 600_000)
})
