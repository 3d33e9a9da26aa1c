import type { GreyPixels } from './frame-pixels.ts'

/** Where bars lie that all stand one way. */
export interface BarDirection {
  /** From one bar to the next, in radians; from 0 up to half a turn, clockwise on the screen. */
  angle: number
  /** The middles of the cells that show such bars, and how clearly each does. */
  cells: readonly Cell[]
  clearness: number
}

export interface Cell {
  x: number
  y: number
  angle: number
  clearness: number
  /** From 0 to 1: the part of its contrast that goes one way. */
  coherence: number
}

/** Cells on the frame's shorter side: small enough to lie within a label, whatever its angle. */
const cellsAside = 36
const smallestCell = 8
/** Pixels of a cell that are looked at, on each side: more tell nothing more. */
const samplesAside = 8
/** A cell whose pixels have a smaller mean squared slope shows paper and noise. */
const faintest = 40

const bins = 60
const halfTurn = Math.PI
/** Bars of one label differ by less, even bent or seen aslant. */
const alike = halfTurn / 15
/** Nearer to the first direction, a second one is the same bars. */
const apart = halfTurn / 9
/** A second direction that is much fainter is the edge of something. */
const leastOfSecond = 0.1

/** Four degrees: so far even low bars are crossed from end to end. */
const mostAslant = halfTurn / 45

/** Lines leave such bars before their end, and an ITF may end after any pair: it would be read short. */
export function isAslant({ angle }: BarDirection): boolean {
  const away = angle % (halfTurn / 2)
  return Math.min(away, halfTurn / 2 - away) > mostAslant
}

/** At most two, the clearest first. Letters show every direction, bars one. */
export function barDirections(grey: GreyPixels): BarDirection[] {
  const cells = cellsOf(grey)
  const first = clearest(cells)
  if (first === null) return []
  const second = clearest(cells.filter(({ angle }) => between(angle, first.angle) > apart))
  return second !== null && second.clearness >= leastOfSecond * first.clearness ? [first, second] : [first]
}

function clearest(cells: readonly Cell[]): BarDirection | null {
  const histogram = new Float64Array(bins)
  for (const { angle, clearness } of cells) {
    const bin = Math.floor((angle / halfTurn) * bins) % bins
    histogram[bin] = (histogram[bin] ?? 0) + clearness
  }
  // A peak may lie between two bins.
  const around = histogram.map(
    (here, bin) => (histogram.at(bin - 1) ?? 0) + here + (histogram[(bin + 1) % bins] ?? 0),
  )
  const peak = ((around.indexOf(Math.max(...around)) + 0.5) / bins) * halfTurn
  const near = cells.filter(({ angle }) => between(angle, peak) < alike)
  if (near.length === 0) return null
  return {
    angle: meanAngle(near),
    cells: near,
    clearness: near.reduce((sum, { clearness }) => sum + clearness, 0),
  }
}

/** By doubled angles, because half a turn is none. */
export function meanAngle(cells: readonly Cell[]): number {
  let [x, y] = [0, 0]
  for (const { angle, clearness } of cells) {
    x += clearness * Math.cos(2 * angle)
    y += clearness * Math.sin(2 * angle)
  }
  return positive(Math.atan2(y, x) / 2)
}

const positive = (angle: number): number => (angle + halfTurn) % halfTurn

export function between(one: number, other: number): number {
  const away = Math.abs(one - other)
  return Math.min(away, halfTurn - away)
}

function cellsOf(grey: GreyPixels): Cell[] {
  const side = Math.max(smallestCell, Math.floor(Math.min(grey.width, grey.height) / cellsAside))
  const cells: Cell[] = []
  for (let top = 1; top + side < grey.height; top += side) {
    for (let left = 1; left + side < grey.width; left += side) {
      const cell = cellAt(grey, left, top, side)
      if (cell !== null) cells.push(cell)
    }
  }
  return cells
}

/** The structure tensor of a cell: its main direction, and how much of its contrast goes that way. */
export function cellAt(grey: GreyPixels, left: number, top: number, side: number): Cell | null {
  const step = Math.max(1, Math.floor(side / samplesAside))
  let [across, down, both, samples] = [0, 0, 0, 0]
  for (let y = top; y < top + side; y += step) {
    for (let x = left; x < left + side; x += step) {
      const slopeX = slope(grey, y * grey.width + x, 1, grey.width)
      const slopeY = slope(grey, y * grey.width + x, grey.width, 1)
      across += slopeX * slopeX
      down += slopeY * slopeY
      both += slopeX * slopeY
      samples++
    }
  }
  const contrast = across + down
  if (contrast < faintest * samples) return null
  const oneWay = Math.hypot(across - down, 2 * both)
  return {
    x: left + side / 2,
    y: top + side / 2,
    angle: positive(Math.atan2(2 * both, across - down) / 2),
    clearness: (oneWay * oneWay) / contrast / samples,
    coherence: oneWay / contrast,
  }
}

/** Scharr's: plain differences of neighbours would say of narrow bars that they stand nearer to 45°. */
function slope({ data }: GreyPixels, at: number, ahead: number, aside: number): number {
  const middle = (data[at + ahead] ?? 0) - (data[at - ahead] ?? 0)
  const left = (data[at + ahead - aside] ?? 0) - (data[at - ahead - aside] ?? 0)
  const right = (data[at + ahead + aside] ?? 0) - (data[at - ahead + aside] ?? 0)
  return (10 * middle + 3 * (left + right)) / 16
}
