import { decodeFrameWithZxingJs } from './decode-with-zxing-js.ts'
import { serveFrames } from './serve-frames.ts'

// A worker of its own, fetched only where wasm cannot run.
void serveFrames(decodeFrameWithZxingJs, () => Promise.resolve())
