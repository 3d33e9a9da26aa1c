import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'

import { warmDecodeFrame } from './decode-frame.ts'
import { pixelsOf } from './frame-canvas.ts'
import type { FramePixels, Point } from './frame-pixels.ts'
import { readTile } from './read-tile.ts'
import { serveCalls } from './serve-calls.ts'
import type { Effort, Sighting, Size } from './sightings.ts'

/** `frame` shows a tile alone, whose top left lies at `at` of the picture. */
export interface TileRequest {
  frame: VideoFrame | ImageBitmap | FramePixels
  at: Point
  picture: Size
  effort: Effort
}

// By default the library fetches its wasm from another origin, which our CSP forbids.
const locateFile = (): string => wasmUrl

void serveCalls<TileRequest, Sighting[]>(
  ({ frame, at, picture, effort }) => readTile(takePixels(frame), at, picture, effort),
  () => warmDecodeFrame({ locateFile }),
)

/** At full size; the frame is closed, which frees its memory before the pixels are read. */
function takePixels(frame: TileRequest['frame']): FramePixels {
  if ('data' in frame) return frame
  try {
    return pixelsOf(frame)
  } finally {
    frame.close()
  }
}
