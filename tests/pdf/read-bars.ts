import { decodeFrameWithZxingJs } from '../../src/client/scanner/decode-with-zxing-js.ts'
import type { Rectangle } from './read-pdf.ts'

const scale = 6
const margin = 40

/** What a scanner reads of bars: black rectangles on white paper. */
export async function readBars(bars: readonly Rectangle[]): Promise<string | null> {
  const left = Math.min(...bars.map(({ x }) => x))
  const right = Math.max(...bars.map(({ x, width }) => x + width))
  const width = Math.round((right - left) * scale) + 2 * margin
  const height = 80
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (const bar of bars) {
    const from = Math.round((bar.x - left) * scale) + margin
    const to = Math.round((bar.x + bar.width - left) * scale) + margin
    for (let y = 0; y < height; y += 1) data.fill(0, (y * width + from) * 4, (y * width + to) * 4)
  }
  for (let at = 3; at < data.length; at += 4) data[at] = 255
  const read = await decodeFrameWithZxingJs({ data, width, height }, 'full')
  return read?.text ?? null
}
