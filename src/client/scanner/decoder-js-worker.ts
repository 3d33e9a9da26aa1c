import { decodeFrameWithZxingJs } from './decode-with-zxing-js.ts'
import { serveFrames } from './serve-frames.ts'

void serveFrames(decodeFrameWithZxingJs, () => Promise.resolve())
