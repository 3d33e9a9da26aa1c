import sharp from 'sharp'

import type { FramePixels, Point } from '../../src/client/scanner/frame-pixels.ts'
import type { Symbology } from '../../src/domain/bar-code.ts'
import { colourOf, glareAt, printSymbol, random, type Spine } from './draw-spine.ts'

export interface ShelfWishes {
  /** The same seed and wishes give the same picture. */
  seed: number
  /** In pixels. */
  width: number
  height: number
  /** So many mm lie across the picture: 600 before a telephone held at 45 cm. */
  shows?: number
  /** In all rows together. */
  spines: number
  rows?: 1 | 2
  label?: 'data_matrix' | 'code_128'
  /** Of a Data Matrix, in mm. */
  side?: 8 | 9 | 12
  /** Degrees to the right, at most. */
  lean?: number
  /** Degrees that the camera is turned aside, up and about its own axis. */
  aslant?: { yaw: number; pitch: number; roll: number }
  isCurved?: boolean
  /** Out of focus, by so many mm (standard deviation). */
  blur?: number
  /** Of the sensor, in steps of 255 (standard deviation). */
  noise?: number
  /** The share of spines with plastic that shines. */
  glare?: number
  /** 1 is daylight. */
  light?: number
  /** The codes from left to right, row by row; without them each has one by its place. */
  texts?: readonly string[]
}

export interface ShelfCode {
  text: string
  symbology: Symbology
  /** In parts of the picture, clockwise from the symbol's own top left. */
  corners: readonly [Point, Point, Point, Point]
  row: number
  /** From left to right in its row. */
  index: number
  /** Whether it lies in the picture and no glare hides a tenth of it. */
  isFair: boolean
}

export interface DrawnShelf {
  pixels: FramePixels
  /** Row by row, from left to right. */
  codes: ShelfCode[]
}

/** What the tests and `npm run bench -- shelf` try, each by itself. */
export const shelfConditions = {
  plain: {},
  leaning: { lean: 20 },
  aslant: { aslant: { yaw: 12, pitch: 8, roll: 4 } },
  curved: { isCurved: true },
  blurred: { blur: 0.22 },
  noisy: { noise: 16 },
  glare: { glare: 0.5 },
  dim: { light: 0.3, noise: 7 },
  'two rows': { rows: 2 },
} satisfies Record<string, Partial<ShelfWishes>>

/** Of a telephone, in mm from the shelf, where 600 mm are seen. */
const distanceOf600 = 450
/** What a lens and its sensor blur at their best, in pixels. */
const sharpest = 0.6
/** In mm. */
const moduleOfBars = 0.3
const degree = Math.PI / 180

export async function drawShelf(wishes: ShelfWishes): Promise<DrawnShelf> {
  const camera = cameraOf(wishes)
  const rows = await spinesOf(wishes)
  const { width, height } = wishes
  const drawn = new Uint8ClampedArray(width * height * 3)
  paintBackground(drawn, wishes)
  for (const spine of rows.flat()) paintSpine(drawn, spine, camera, wishes)
  const codes = rows.flatMap((row, at) => row.map((spine, index) => codeOf(spine, camera, wishes, at, index)))
  return { pixels: await takePicture(drawn, wishes), codes }
}

/** As a file to be chosen. */
export const photographOf = ({ data, width, height }: FramePixels): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .jpeg({ quality: 90 })
    .toBuffer()

/** The lens blurs, the sensor adds its noise, and the telephone packs. */
async function takePicture(
  drawn: Uint8ClampedArray<ArrayBuffer>,
  { seed, width, height, shows = 600, blur = 0, noise = 2, light = 1 }: ShelfWishes,
): Promise<FramePixels> {
  const raw = { raw: { width, height, channels: 3 } } as const
  const sigma = Math.hypot(sharpest, (blur * width) / shows)
  const seen = await sharp(drawn, raw).blur(sigma).raw().toBuffer()
  const next = random(seed)
  for (let at = 0; at < seen.length; at += 3) {
    // Near enough to a normal distribution of deviation 1.
    const grain = (next() + next() + next() - 1.5) * 2 * noise
    for (let channel = at; channel < at + 3; channel++) {
      const value = (seen[channel] ?? 0) * light + grain
      seen[channel] = value < 0 ? 0 : value > 255 ? 255 : value
    }
  }
  const packed = await sharp(seen, raw).jpeg({ quality: 88 }).toBuffer()
  const { buffer, byteOffset, length } = await sharp(packed).ensureAlpha().raw().toBuffer()
  return { data: new Uint8ClampedArray(buffer, byteOffset, length), width, height }
}

async function spinesOf(wishes: ShelfWishes): Promise<Spine[][]> {
  const { seed, width, height, shows = 600, spines, rows = 1, lean = 0, isCurved = false } = wishes
  const { label = 'data_matrix', side = 9, glare = 0, texts } = wishes
  const next = random(seed * 7919 + 17)
  const between = (least: number, most: number): number => least + (most - least) * next()
  const drawn: Spine[][] = []
  for (let row = 0; row < rows; row++) {
    const count = Math.floor(((row + 1) * spines) / rows) - Math.floor((row * spines) / rows)
    const least = label === 'code_128' ? 8 : Math.max(8, side + 2)
    const widths = fitted(
      Array.from({ length: count }, () => between(least, 40)),
      least,
      shows * (lean > 0 ? 0.75 : 0.86),
    )
    const room = (shows * height) / width / rows
    const foot = rows === 1 ? Math.min(110, room / 2 - 15) : row * room - 15
    const line: Spine[] = []
    let x = -widths.reduce((sum, one) => sum + one + 0.4, 0) / 2 - (lean > 0 ? shows / 12 : 0)
    let before = 0
    for (const wide of widths) {
      const tall = between(0.75, 1) * Math.max(75, Math.min(235, room - 25))
      const leans = lean === 0 ? 0 : between(0.5, 1) * lean * degree
      // What leans less than its neighbour would stand in it.
      x += line.length === 0 ? 0 : Math.max(0, 90 * (Math.tan(before) - Math.tan(leans)))
      before = leans
      const place = drawn.flat().length + line.length
      const text = texts?.[place] ?? codeAt((seed % 1000) * 100 + place, label)
      const symbol = await symbolOf(label, side, wide, tall, text, next)
      line.push({
        seed: Math.floor(next() * 1e9),
        x,
        y: foot,
        width: wide,
        height: tall,
        lean: leans,
        radius: isCurved ? wide / 2 / Math.sin(50 * degree) : Infinity,
        colour: Math.floor(next() * 0xffffff) & 0xbfbfbf,
        symbol,
        glare:
          next() < glare
            ? {
                middle: between(0, wide),
                half: between(0.4, wide / 6),
                from: between(0, tall * 0.6),
                to: between(tall * 0.7, tall),
              }
            : null,
      })
      x += wide / Math.cos(leans) + 0.4
    }
    drawn.push(line)
  }
  return drawn
}

/** Thinner where they would not fit. */
function fitted(widths: readonly number[], least: number, room: number): number[] {
  const more = widths.reduce((sum, wide) => sum + wide - least, 0)
  const share = Math.min(1, (room - least * widths.length) / more)
  if (share < 0) throw new Error(`${widths.length} spines of ${least} mm do not fit in ${room} mm`)
  return widths.map((wide) => least + share * (wide - least))
}

const codeAt = (place: number, label: 'data_matrix' | 'code_128'): string =>
  label === 'code_128' || place % 2 === 0
    ? `3${String(place).padStart(13, '0')}`
    : `BIB-${String(place).padStart(6, '0')}`

/** Some 15 mm above the foot; bars go along the spine. */
async function symbolOf(
  label: 'data_matrix' | 'code_128',
  side: number,
  wide: number,
  tall: number,
  text: string,
  next: () => number,
) {
  const isBars = label === 'code_128'
  const printed = await printSymbol(text, label, isBars ? (next() < 0.5 ? 1 : 3) : next() < 0.7 ? 0 : 1)
  const width = isBars ? Math.min(10, wide - 2) : side
  const height = isBars ? printed.down * moduleOfBars : side
  const quiet = { x: 1, y: isBars ? 10 * moduleOfBars : 1 }
  const top = tall - height - 12 - quiet.y - 5 * next()
  return { ...printed, width, height, left: (wide - width) / 2, top, quiet }
}

interface Camera {
  /** Where on the shelf, in mm from what lies in the middle, a pixel looks. */
  shelfAt: (x: number, y: number) => Point
  pixelOf: (place: Point) => Point
}

function cameraOf({ width, height, shows = 600, aslant }: ShelfWishes): Camera {
  const { yaw, pitch, roll } = aslant ?? { yaw: 0, pitch: 0, roll: 0 }
  const distance = (distanceOf600 * shows) / 600
  const focal = (distance * width) / shows
  const [a, b, c] = [yaw * degree, pitch * degree, roll * degree]
  const turn = [
    [
      Math.cos(a) * Math.cos(c) + Math.sin(a) * Math.sin(b) * Math.sin(c),
      -Math.cos(a) * Math.sin(c) + Math.sin(a) * Math.sin(b) * Math.cos(c),
      Math.sin(a) * Math.cos(b),
    ],
    [Math.cos(b) * Math.sin(c), Math.cos(b) * Math.cos(c), -Math.sin(b)],
    [
      -Math.sin(a) * Math.cos(c) + Math.cos(a) * Math.sin(b) * Math.sin(c),
      Math.sin(a) * Math.sin(c) + Math.cos(a) * Math.sin(b) * Math.cos(c),
      Math.cos(a) * Math.cos(b),
    ],
  ] as const
  const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = turn
  const [middleX, middleY] = [(distance * xz) / zz, (distance * yz) / zz]
  return {
    shelfAt: (x, y) => {
      const [right, down] = [x - width / 2, y - height / 2]
      const depth = zx * right + zy * down + zz * focal
      return {
        x: (distance * (xx * right + xy * down + xz * focal)) / depth - middleX,
        y: (distance * (yx * right + yy * down + yz * focal)) / depth - middleY,
      }
    },
    pixelOf: (place) => {
      const [x, y] = [place.x + middleX, place.y + middleY]
      const depth = xz * x + yz * y + zz * distance
      return {
        x: (focal * (xx * x + yx * y + zx * distance)) / depth + width / 2,
        y: (focal * (xy * x + yy * y + zy * distance)) / depth + height / 2,
      }
    },
  }
}

/** From the spine's own place, in mm from its top left, to the shelf. */
function onShelf({ x, y, height, lean }: Spine, right: number, down: number): Point {
  const up = height - down
  return {
    x: x + right * Math.cos(lean) + up * Math.sin(lean),
    y: y + right * Math.sin(lean) - up * Math.cos(lean),
  }
}

function paintBackground(drawn: Uint8ClampedArray, { width, height }: ShelfWishes): void {
  for (let at = 0; at < drawn.length; at++) {
    const pixel = Math.floor(at / 3)
    drawn[at] = 40 + (30 * pixel) / (width * height) + (pixel % 5)
  }
}

/** Each pixel is the mean of four places, as a sensor takes it. */
const places = [
  [-0.375, -0.125],
  [0.125, -0.375],
  [0.375, 0.125],
  [-0.125, 0.375],
] as const

function paintSpine(
  drawn: Uint8ClampedArray,
  spine: Spine,
  camera: Camera,
  { width, height }: ShelfWishes,
): void {
  const [cos, sin] = [Math.cos(spine.lean), Math.sin(spine.lean)]
  const onSpine = (x: number, y: number): Point => {
    const place = camera.shelfAt(x, y)
    const [fromX, fromY] = [place.x - spine.x, place.y - spine.y]
    return { x: fromX * cos + fromY * sin, y: spine.height - (fromX * sin - fromY * cos) }
  }
  const [left, top, right, bottom] = boundsOf(spine, camera)
  // How far a pixel reaches on the spine hardly changes along it.
  const middle = onSpine((left + right) / 2, (top + bottom) / 2)
  const aside = onSpine((left + right) / 2 + 1, (top + bottom) / 2)
  const across = aside.x - middle.x
  const slant = aside.y - middle.y
  const steps = places.map(([x, y]) => [x * across - y * slant, x * slant + y * across] as const)
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, bottom); y++) {
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, right); x++) {
      const place = onSpine(x + 0.5, y + 0.5)
      if (place.x < 0 || place.y < 0 || place.x >= spine.width || place.y >= spine.height) continue
      let [red, green, blue] = [0, 0, 0]
      for (const [stepX, stepY] of steps) {
        const colour = colourOf(spine, place.x + stepX, place.y + stepY)
        red += colour >> 16
        green += (colour >> 8) & 255
        blue += colour & 255
      }
      const at = 3 * (y * width + x)
      drawn[at] = red / 4
      drawn[at + 1] = green / 4
      drawn[at + 2] = blue / 4
    }
  }
}

function boundsOf(spine: Spine, camera: Camera): [left: number, top: number, right: number, bottom: number] {
  const ends = [0, spine.width].flatMap((right) =>
    [0, spine.height].map((down) => camera.pixelOf(onShelf(spine, right, down))),
  )
  const xs = ends.map(({ x }) => x)
  const ys = ends.map(({ y }) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

function codeOf(
  spine: Spine,
  camera: Camera,
  { width, height }: ShelfWishes,
  row: number,
  index: number,
): ShelfCode {
  const { text, symbology, left, top, width: wide, height: tall, quarters } = spine.symbol
  const seenAt = (right: number): number =>
    spine.radius === Infinity
      ? right
      : spine.width / 2 + spine.radius * Math.sin((right - spine.width / 2) / spine.radius)
  const ends = [
    [left, top],
    [left + wide, top],
    [left + wide, top + tall],
    [left, top + tall],
  ].map(([right = 0, down = 0]) => {
    const { x, y } = camera.pixelOf(onShelf(spine, seenAt(right), down))
    return { x: x / width, y: y / height }
  })
  const corners = ends.map((_, at) => ends[(at + quarters) % 4]) as [Point, Point, Point, Point]
  const isInside = ends.every(({ x, y }) => x > 0.002 && y > 0.002 && x < 0.998 && y < 0.998)
  return { text, symbology, corners, row, index, isFair: isInside && hiddenPart(spine) < 0.1 }
}

/** The part of the symbol of which a glare leaves nothing that could be told. */
function hiddenPart(spine: Spine): number {
  const { left, top, width, height } = spine.symbol
  const aside = 20
  let hidden = 0
  for (let row = 0; row < aside; row++) {
    for (let column = 0; column < aside; column++) {
      const [x, y] = [left + ((column + 0.5) * width) / aside, top + ((row + 0.5) * height) / aside]
      if (glareAt(spine, x, y) > 0.8) hidden++
    }
  }
  return hidden / aside ** 2
}
