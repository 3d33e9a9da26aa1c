import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { decodeFrame, warmDecodeFrame } from '../../src/client/scanner/decode-frame.ts'
import { findPhotographs } from './photographs.ts'
import { quarterTurn } from './read-png.ts'
import type { Pixels } from './read-png.ts'
import { codeOf, photograph, readLive, surfaceOf, turned } from './tilted-label.ts'

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  await warmDecodeFrame({ wasmBinary: new Uint8Array(readFileSync(file)).buffer })
})

const photographs = findPhotographs()

describe.skipIf(photographs.length === 0)('on real photographs', () => {
  // Measured: 74 of these 116, upright or turned by a quarter, and 45 at 45°; the others are blurred beyond the engine.
  it('reads as many as measured, and none wrong', async () => {
    let upright = 0
    let atQuarter = 0
    let atHalf = 0
    const wrong: string[] = []
    for (const { path, expected, pixels } of photographs) {
      const held = [pixels, quarterTurn(pixels), heldAt45(pixels)]
      const reads = await Promise.all(held.map((one) => decodeFrame(one, 'photo')))
      const codes = reads.map((read) => read && codeOf(read))
      if (codes[0] === expected) upright++
      if (codes[1] === expected) atQuarter++
      if (codes[2] === expected) atHalf++
      // A code that the device knows counts at its first frame, so no single frame of any mode may be wrong.
      const live = await Promise.all(held.map(readLive))
      const seen = [...codes, ...live.flatMap((one) => [...one])]
      for (const code of seen) if (code !== null && code !== expected) wrong.push(`${path}: ${code}`)
    }
    expect(wrong).toEqual([])
    expect(upright).toBeGreaterThanOrEqual(74)
    expect(atQuarter).toBeGreaterThanOrEqual(74)
    expect(atHalf).toBeGreaterThanOrEqual(45)
  }, 600_000)
})

function heldAt45(pixels: Pixels): Pixels {
  const side = Math.ceil((pixels.width + pixels.height) / Math.SQRT2)
  return photograph(turned(surfaceOf(pixels), 45), { width: side, height: side, blur: { x: 0, y: 0 } })
}
