import { regionOf } from './decode-frame.ts'
import type { DecodeFrame } from './decode-frame.ts'
import { pixelsOf, sizeOf } from './frame-canvas.ts'
import type { DecodeMode } from './frame-modes.ts'
import type { Read } from './scan-agreement.ts'
import { serveCalls } from './serve-calls.ts'

export interface FrameRequest {
  mode: DecodeMode
  frame: VideoFrame | ImageBitmap
}

// A 12-megapixel photograph would take 48 MB.
const longestSide = 2560

export const serveFrames = (decode: DecodeFrame, prepare: () => Promise<void>): Promise<void> =>
  serveCalls<FrameRequest, Read | null>(
    ({ mode, frame }) => {
      try {
        const { width, height } = sizeOf(frame)
        return decode(pixelsOf(frame, regionOf(width, height, mode), longestSide), mode)
      } finally {
        frame.close()
      }
    },
    async () => {
      await prepare()
      // Throws where workers have no canvas.
      pixelsOf(new OffscreenCanvas(8, 8))
    },
  )
