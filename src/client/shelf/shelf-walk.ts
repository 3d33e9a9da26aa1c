import type { Symbology } from '../../domain/bar-code.ts'
import type { Point } from '../scanner/frame-pixels.ts'
import type { Sighting } from '../scanner/sightings.ts'

export type SeenCode = { text: string; symbology: Symbology }

/** What pictures of a shelf have shown since a person began, whether stills or the frames of a pass. */
type ShelfWalk = {
  /** `size`: of the picture, in pixels. Gives the codes that nothing showed before. */
  add: (sightings: readonly Sighting[], size: { width: number; height: number }) => SeenCode[]
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
      const stretch = stretchOf(placed)
      const moved = shiftInto(stretch, placed)
      for (const one of placed) {
        // A place is kept as it was first seen, where nothing pulls it about.
        if (!stretch.has(one.text)) stretch.set(one.text, { ...one, x: one.x + moved.x, y: one.y + moved.y })
      }
      const news = placed.filter(({ text }) => !seen.has(text))
      for (const { text } of news) seen.add(text)
      return news.map(({ text, symbology }) => ({ text, symbology }))
    },
    stretches: () => stretches.map((stretch) => rowsOf([...stretch.values()]).flat()),
  }

  function stretchOf(placed: readonly Placed[]): Map<string, Placed> {
    const shared = (stretch: Map<string, Placed>) => placed.filter(({ text }) => stretch.has(text)).length
    const [most] = stretches.toSorted((one, other) => shared(other) - shared(one))
    if (most !== undefined && shared(most) > 0) return most
    const fresh = new Map<string, Placed>()
    if (placed.length > 0) stretches.push(fresh)
    return fresh
  }
}

function placesIn(
  sightings: readonly Sighting[],
  { width, height }: { width: number; height: number },
): Placed[] {
  const seen = sightings.map(({ text, symbology, corners }) => {
    const [one, two, three, four] = corners.map(({ x, y }) => ({ x: x * width, y: y * height })) as [
      Point,
      Point,
      Point,
      Point,
    ]
    return {
      text,
      symbology,
      x: (one.x + two.x + three.x + four.x) / 4,
      y: (one.y + two.y + three.y + four.y) / 4,
      // Bars are long, a Data Matrix is square: the short side is alike on both.
      side: Math.min(lengthOf(one, two), lengthOf(two, three)),
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

const lengthOf = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y)

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
