import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { decodeFrame, warmDecodeFrame } from './decode-frame.ts'
import { serveFrames } from './serve-frames.ts'

// By default the library fetches its wasm from another origin, which our CSP forbids.
const locateFile = (): string => wasmUrl

void serveFrames(decodeFrame, () => warmDecodeFrame({ locateFile }))
