import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import { warmDecodeFrame } from '../../src/client/scanner/decode-frame.ts'

/** From the package's own file, because node fetches nothing. */
export async function startEngine(): Promise<void> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  await warmDecodeFrame({ wasmBinary: new Uint8Array(readFileSync(file)).buffer })
}
