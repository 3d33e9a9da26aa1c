import type { Symbology } from '../../src/domain/bar-code.ts'
import { drawBarCode } from './fake-camera.ts'

/** A printed code, turned as it lies on its label. */
interface PrintedSymbol {
  text: string
  symbology: Symbology
  /** Quarters of a turn, clockwise. */
  quarters: number
  /** In modules, 1 where there is ink. */
  modules: Uint8Array
  across: number
  down: number
  /** In mm from the top left of the spine. */
  left: number
  top: number
  width: number
  height: number
  /** Paper beside it, and before and behind it. */
  quiet: { x: number; y: number }
}

interface Glare {
  /** In mm: the middle of a bright stripe along the spine, half its width, and where it begins and ends. */
  middle: number
  half: number
  from: number
  to: number
}

/** A book's back that stands on its left foot; all lengths in mm. */
export interface Spine {
  seed: number
  /** Of the left foot, on the shelf. */
  x: number
  y: number
  /** As it is seen; the paper around a curved one is wider. */
  width: number
  height: number
  /** To the right, in radians. */
  lean: number
  /** Of a curved one; Infinity where it is flat. */
  radius: number
  colour: number
  symbol: PrintedSymbol
  glare: Glare | null
}

const paper = 0xf4f2ec
const ink = 0x1c1c20
const markHeight = 13

export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function hash(seed: number, place: number): number {
  const mixed = Math.imul(seed ^ Math.imul(place + 1, 0x9e3779b1), 0x85ebca6b)
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 4
}

/** The code's own modules, without the paper around them, turned clockwise. */
export async function printSymbol(
  text: string,
  symbology: Symbology,
  quarters: number,
): Promise<Pick<PrintedSymbol, 'text' | 'symbology' | 'quarters' | 'modules' | 'across' | 'down'>> {
  const drawn = await drawBarCode(text, symbology, 1)
  const margin = 12
  let [across, down] = [drawn.width - 2 * margin, drawn.height - 2 * margin]
  let modules = new Uint8Array(across * down)
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      const isInk = (drawn.data[(y + margin) * drawn.width + x + margin] ?? 255) < 128
      modules[y * across + x] = isInk ? 1 : 0
    }
  }
  for (let turn = 0; turn < quarters; turn++) {
    const turned = new Uint8Array(modules.length)
    for (let y = 0; y < down; y++) {
      for (let x = 0; x < across; x++) turned[x * down + (down - 1 - y)] = modules[y * across + x] ?? 0
    }
    modules = turned
    ;[across, down] = [down, across]
  }
  return { text, symbology, quarters, modules, across, down }
}

/** The colour, as 0xRRGGBB, of a place in mm from the spine's top left; `x` as it is seen. */
export function colourOf(spine: Spine, x: number, y: number): number {
  const aside = x - spine.width / 2
  const isFlat = spine.radius === Infinity
  const along = isFlat ? x : spine.width / 2 + spine.radius * Math.asin(aside / spine.radius)
  const shade = isFlat ? 1 : 0.35 + 0.65 * Math.sqrt(1 - (aside / spine.radius) ** 2)
  const colour = printedColour(spine, along, y)
  const bright = glareAt(spine, x, y)
  if (shade === 1 && bright === 0) return colour
  const lit = (value: number): number => value * shade + (255 - value * shade) * bright
  return (lit(colour >> 16) << 16) | (lit((colour >> 8) & 255) << 8) | lit(colour & 255)
}

/** From 0 to 1, where nothing is left of what is printed. */
export function glareAt({ glare }: Spine, x: number, y: number): number {
  if (glare === null || y < glare.from || y > glare.to) return 0
  const away = Math.abs(x - glare.middle) / glare.half
  return away <= 1 ? 1 : away >= 2 ? 0 : 2 - away
}

function printedColour(spine: Spine, x: number, y: number): number {
  const { symbol } = spine
  const [right, down] = [x - symbol.left, y - symbol.top]
  if (right >= 0 && down >= 0 && right < symbol.width && down < symbol.height) {
    const column = Math.floor((right / symbol.width) * symbol.across)
    const row = Math.floor((down / symbol.height) * symbol.down)
    return symbol.modules[row * symbol.across + column] === 1 ? ink : paper
  }
  const { quiet } = symbol
  const isBeside = right >= -quiet.x && right < symbol.width + quiet.x
  if (isBeside && down >= -quiet.y - markHeight && down < symbol.height + quiet.y) {
    return down < -quiet.y && isLetter(spine.seed, right, down + quiet.y + markHeight, 3.6) ? ink : paper
  }
  // The title goes along the spine, between a band above and one below.
  if (y < 12 || y > spine.height - 8) return spine.colour ^ 0x303030
  const isInTitle =
    y < symbol.top - symbol.quiet.y - markHeight - 5 && Math.abs(x - spine.width / 2) < spine.width / 3
  const size = Math.min(9, spine.width / 2.2)
  return isInTitle && isLetter(spine.seed + 7, y, spine.width - x, size) ? 0xe8e4d8 : spine.colour
}

/** Noise that has the look of words: letters of three by five dots. */
function isLetter(seed: number, x: number, y: number, size: number): boolean {
  const [column, line] = [Math.floor(x / (size * 0.7)), Math.floor(y / (size * 1.25))]
  const letter = hash(seed, column + line * 131)
  const [dotX, dotY] = [(x / (size * 0.7) - column) * 4, (y / (size * 1.25) - line) * 7]
  if (dotX >= 3 || dotY >= 5 || letter % 6 === 0) return false
  return ((letter >> (Math.floor(dotX) + 3 * Math.floor(dotY))) & 1) === 1
}
