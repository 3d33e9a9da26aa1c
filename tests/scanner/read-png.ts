import { inflateSync } from 'node:zlib'

/** Pixels as a canvas gives them: 4 bytes a pixel, red green blue alpha. */
export interface Pixels {
  data: Uint8ClampedArray<ArrayBuffer>
  width: number
  height: number
}

/** Samples per pixel of each PNG colour type. */
const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Reads a PNG of up to 8 bits a sample, not interlaced; throws on anything else. */
export function readPng(file: Buffer): Pixels {
  let width = 0
  let height = 0
  let depth = 8
  let colour = 0
  let palette = Buffer.alloc(0)
  const parts: Buffer[] = []
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    const body = file.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') {
      width = body.readUInt32BE(0)
      height = body.readUInt32BE(4)
      depth = body.readUInt8(8)
      colour = body.readUInt8(9)
      if (depth > 8 || body.readUInt8(12) !== 0)
        throw new Error('PNG of 16 bits or interlaced: not read here')
    } else if (type === 'PLTE') palette = Buffer.from(body)
    else if (type === 'IDAT') parts.push(body)
    at += length + 12
  }
  const channels = channelsOf[colour] ?? 1
  const stride = Math.ceil((width * channels * depth) / 8)
  const rows = unfilter(
    inflateSync(Buffer.concat(parts)),
    stride,
    height,
    Math.max(1, (channels * depth) / 8),
  )
  const data = new Uint8ClampedArray(width * height * 4)
  const top = (1 << depth) - 1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sample = (channel: number): number => {
        const bit = (x * channels + channel) * depth
        const byte = rows[y * stride + (bit >> 3)] ?? 0
        return depth === 8 ? byte : (byte >> (8 - depth - (bit & 7))) & top
      }
      const to = (y * width + x) * 4
      for (let c = 0; c < 3; c++) {
        if (colour === 3) data[to + c] = palette[sample(0) * 3 + c] ?? 0
        else if (channels >= 3) data[to + c] = sample(c)
        else data[to + c] = (sample(0) * 255) / top
      }
      data[to + 3] = 255
    }
  }
  return { data, width, height }
}

/** Undoes the five row filters of PNG (W3C PNG, section 9). */
function unfilter(raw: Buffer, stride: number, height: number, step: number): Uint8Array {
  const out = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x++) {
      const left = x >= step ? (out[y * stride + x - step] ?? 0) : 0
      const up = y > 0 ? (out[(y - 1) * stride + x] ?? 0) : 0
      const corner = x >= step && y > 0 ? (out[(y - 1) * stride + x - step] ?? 0) : 0
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
      out[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess
    }
  }
  return out
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

/** The same pixels turned a quarter clockwise. */
export function quarterTurn({ data, width, height }: Pixels): Pixels {
  const from = new Uint32Array(data.buffer)
  const to = new Uint32Array(from.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) to[x * height + (height - 1 - y)] = from[y * width + x] ?? 0
  }
  return { data: new Uint8ClampedArray(to.buffer), width: height, height: width }
}
