import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { decodeFrame, warmDecodeFrame } from './decode-frame.ts'
import { serveFrames } from './serve-frames.ts'

// Without locateFile the library would fetch its wasm from another origin, which the product's CSP forbids.
const locateFile = (): string => wasmUrl

void serveFrames(decodeFrame, () => warmDecodeFrame({ locateFile }))
