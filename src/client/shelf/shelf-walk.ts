import type { Symbology } from '../../domain/bar-code.ts'
import type { Point } from '../scanner/frame-pixels.ts'
import { distance, middleOf, type Sighting, type Size } from '../scanner/sightings.ts'

export type SeenCode = { text: string; symbology: Symbology }

/** What pictures of a shelf have shown since a person began, whether stills or the frames of a pass. */
type ShelfWalk = {
  /** Answers whether it shows a code that nothing showed before. */
  add: (sightings: readonly Sighting[], size: Size) => boolean
  /** Row by row from left to right, a list for each stretch of shelf: pictures that share a code are one stretch. */
  stretches: () => SeenCode[][]
}

/** Places are in widths of a symbol, so that two pictures from two distances agree. */
type Placed = SeenCode & Point

/** Labels of one row stand about as high; shelves stand 25 cm apart or more. */
const rowGap = 6

export function createShelfWalk(): ShelfWalk {
  const stretches: Map<string, Placed>[] = []
  const seen = new Set<string>()
  return {
    add(sightings, size) {
      const placed = placesIn(sightings, size)
      const [stretch, ...others] = stretchesOf(placed)
      if (stretch === undefined) return false
      join(stretch, placed)
      // A picture that shows the end of one stretch and the beginning of another makes them one.
      for (const other of others) {
        join(stretch, [...other.values()])
        stretches.splice(stretches.indexOf(other), 1)
      }
      const before = seen.size
      for (const { text } of placed) seen.add(text)
      return seen.size > before
    },
    stretches: () => stretches.map((stretch) => rowsOf([...stretch.values()]).flat()),
  }

  /** Those that share a code with it, the one that shares most first; a new one where none does. */
  function stretchesOf(placed: readonly Placed[]): Map<string, Placed>[] {
    const shared = (stretch: Map<string, Placed>) => placed.filter(({ text }) => stretch.has(text)).length
    const those = stretches.filter((stretch) => shared(stretch) > 0)
    if (those.length > 0 || placed.length === 0)
      return those.toSorted((one, other) => shared(other) - shared(one))
    const fresh = new Map<string, Placed>()
    stretches.push(fresh)
    return [fresh]
  }
}

/** The first place is kept: a later frame may be blurred by the hand. */
function join(stretch: Map<string, Placed>, placed: readonly Placed[]): void {
  const moved = shiftInto(stretch, placed)
  for (const one of placed) {
    if (!stretch.has(one.text)) stretch.set(one.text, { ...one, x: one.x + moved.x, y: one.y + moved.y })
  }
}

function placesIn(sightings: readonly Sighting[], { width, height }: Size): Placed[] {
  const seen = sightings.map(({ text, symbology, corners: [one, two, three, four] }) => {
    const inPixels = ({ x, y }: Point): Point => ({ x: x * width, y: y * height })
    const corner = inPixels(two)
    return {
      text,
      symbology,
      ...middleOf([one, two, three, four].map(inPixels)),
      // Bars are long, a Data Matrix is square: the short side is alike on both.
      side: Math.min(distance(inPixels(one), corner), distance(corner, inPixels(three))),
    }
  })
  const unit = Math.max(1, median(seen.map(({ side }) => side)))
  return seen.map(({ text, symbology, x, y }) => ({ text, symbology, x: x / unit, y: y / unit }))
}

/** From a picture's places to those of the stretch, by the codes that both show. */
function shiftInto(stretch: ReadonlyMap<string, Placed>, placed: readonly Placed[]): Point {
  const shifts = placed.flatMap(({ text, x, y }) => {
    const before = stretch.get(text)
    return before === undefined ? [] : [{ x: before.x - x, y: before.y - y }]
  })
  return { x: median(shifts.map(({ x }) => x)), y: median(shifts.map(({ y }) => y)) }
}

function rowsOf(placed: readonly Placed[]): SeenCode[][] {
  const rows: Placed[][] = []
  let last = -Infinity
  for (const one of placed.toSorted((a, b) => a.y - b.y)) {
    if (one.y - last > rowGap) rows.push([])
    rows.at(-1)?.push(one)
    last = one.y
  }
  return rows.map((row) =>
    row.toSorted((a, b) => a.x - b.x).map(({ text, symbology }) => ({ text, symbology })),
  )
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
