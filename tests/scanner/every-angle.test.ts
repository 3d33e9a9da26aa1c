import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, expect, it } from 'vitest'
import { warmDecodeFrame } from '../../src/client/scanner/decode-frame.ts'
import { lens, photograph, printedCodes, printLabel, readLive, turned } from './tilted-label.ts'

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  await warmDecodeFrame({ wasmBinary: new Uint8Array(readFileSync(file)).buffer })
})

it.each(printedCodes)(
  'the live camera reads a label at every angle as %s, and never as another code',
  async (symbology, printed, code) => {
    const label = await printLabel(symbology, printed)
    for (const angle of [0, 15, 30, 45, 60, 75, 90]) {
      expect([angle, ...(await readLive(photograph(turned(label, angle), lens)))]).toEqual([angle, code])
    }
  },
)
