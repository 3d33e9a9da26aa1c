import sharp from 'sharp'

import type { FramePixels } from '../../src/client/scanner/frame-pixels.ts'
import { drawShelf, type ShelfCode, type ShelfWishes } from '../support/draw-shelf.ts'
import { random } from '../support/draw-spine.ts'

const framesPerSecond = 15
/** In mm a second: a metre in ten. */
const pace = 100
/** Of the drawing that the frames are cut from, in pixels a mm. */
const fineness = 8

export interface FilmWishes extends Pick<ShelfWishes, 'seed' | 'side' | 'lean'> {
  /** Of a frame, in pixels. */
  width: number
  height: number
  /** So many mm lie across a frame. */
  shows: number
  /** In seconds: while it lasts, the picture moves. */
  exposure: number
  /** In mm. */
  way?: number
}

export interface Film {
  codes: ShelfCode[]
  frames: AsyncIterable<FramePixels>
}

/** A shelf, along which a hand moves the camera. */
export async function filmShelf({
  seed,
  side = 9,
  lean = 0,
  way = 1000,
  ...frame
}: FilmWishes): Promise<Film> {
  const { width, height, shows, exposure } = frame
  const length = way + shows
  const tall = Math.ceil((shows * height) / width) + 20
  const { pixels, codes } = await drawShelf({
    seed,
    width: length * fineness,
    height: tall * fineness,
    shows: length,
    spines: Math.round((0.03 * length) / (lean > 0 ? 1.2 : 1)),
    side,
    lean,
    noise: 0,
  })
  return { codes, frames: framesOf() }

  async function* framesOf(): AsyncGenerator<FramePixels> {
    const raw = { width: pixels.width, height: pixels.height, channels: 4 } as const
    const next = random(seed)
    const kernel = smear((pace * exposure * width) / shows)
    for (let nth = 0; nth < (framesPerSecond * way) / pace; nth++) {
      const {
        buffer,
        byteOffset,
        length: bytes,
      } = await sharp(pixels.data, { raw })
        .extract({
          left: Math.round((nth / framesPerSecond) * pace * fineness),
          top: Math.round((10 + 8 * Math.sin(nth / 9) + next()) * fineness),
          width: Math.round(shows * fineness),
          height: Math.round(((shows * height) / width) * fineness),
        })
        .resize(width, height, { kernel: 'linear', fit: 'fill' })
        .convolve(kernel)
        .raw()
        .toBuffer()
      const data = new Uint8ClampedArray(buffer, byteOffset, bytes)
      for (let at = 0; at < data.length; at += 4) {
        const grain = (next() + next() - 1) * 10
        for (let channel = at; channel < at + 3; channel++) data[channel] = (data[channel] ?? 0) + grain
      }
      yield { data, width, height }
    }
  }
}

/** What moves by so many pixels while a frame is taken; sharp wants three rows. */
function smear(pixels: number): { width: number; height: number; kernel: number[] } {
  const aside = Math.max(1, Math.ceil(pixels / 2))
  const row = Array.from({ length: 2 * aside + 1 }, (_, at) => {
    const from = Math.max(at - aside - 0.5, -pixels / 2)
    return Math.max(0, Math.min(at - aside + 0.5, pixels / 2) - from)
  })
  const none = row.map(() => 0)
  return { width: row.length, height: 3, kernel: [...none, ...row, ...none] }
}
