import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { takeTurns } from '../http/take-turns.ts'

/** More pixels are a trap, not a photograph; a PNG is held whole while it is read. */
const mostPixels = { jpeg: 50_000_000, webp: 50_000_000, png: 20_000_000 }

/** Reads nothing but these formats: others, such as SVG, cost seconds before they can be refused. */
async function openSharp() {
  // The first picture loads it, so that a server starts faster.
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp'].flatMap((format) => [
      `VipsForeignLoad${format}File`,
      `VipsForeignLoad${format}Buffer`,
    ]),
  })
  return sharp
}

/** One at a time, because each holds a whole picture and a thread. */
const drawing = takeTurns({ atOnce: 1 })

/** A picture redrawn as WebP within each of these sides, in pixels, without the rest of its file. */
export type DrawnPicture = ReadonlyMap<number, Uint8Array>

/** Its path, or its bytes. */
type PictureFile = string | Uint8Array

type Bounds = { least?: number; most?: number }

/** Null when a file is no PNG, JPEG or WebP, holds too many pixels, or has a side of fewer than `least`. */
export const drawPicture = (
  file: PictureFile,
  sides: readonly number[],
  bounds: Bounds = {},
): Promise<DrawnPicture | null> => drawing.run(() => draw(file, sides, bounds))

async function draw(
  file: PictureFile,
  sides: readonly number[],
  { least = 1, most = Infinity }: Bounds,
): Promise<DrawnPicture | null> {
  const sharp = await openSharp()
  const picture = sharp(file, { limitInputPixels: mostPixels.jpeg, failOn: 'error' })
  try {
    const { format, width, height } = await picture.metadata()
    if (!(format in mostPixels) || width * height > mostPixels[format as keyof typeof mostPixels]) return null
    if (Math.min(width, height) < least || width * height > most) return null
    const drawn = new Map<number, Uint8Array>()
    for (const side of sides) {
      const resized = picture.clone().rotate().resize(side, side, { fit: 'inside', withoutEnlargement: true })
      drawn.set(side, await resized.webp({ quality: 90 }).toBuffer())
    }
    return drawn
  } catch {
    return null
  }
}

/** 32 hexadecimal digits that nobody guesses. */
export const newPictureName = (): string => randomBytes(16).toString('hex')

/** Where a picture lies within the environment's files. */
export const pathOfPicture = (directory: string, name: string, side: number): string =>
  `${directory}/${name}-${side}.webp`

/** Keeps a picture under a name that no other one has. */
export async function keepPicture(
  picture: DrawnPicture,
  files: string,
  { directory, name }: { directory: string; name: string },
): Promise<void> {
  for (const [side, bytes] of picture) {
    const path = join(files, pathOfPicture(directory, name, side))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes, { flag: 'wx' })
  }
}

/** Null where there is none. */
export async function readPicture(
  files: string,
  directory: string,
  name: string,
  side: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = await readFile(join(files, pathOfPicture(directory, name, side))).catch(() => null)
  return bytes && new Uint8Array(bytes)
}
