import type { Symbology } from '../../domain/bar-code.ts'
import type { Point, Region } from './frame-pixels.ts'

/** For a film's frame, or for one picture that is looked at in every way. */
export type Effort = 'live' | 'still'

export type Corners = readonly [Point, Point, Point, Point]

/** A code seen in a picture. */
export interface Sighting {
  text: string
  symbology: Symbology
  /** In parts (0 to 1) of the picture's width and height, clockwise from the symbol's own top left. */
  corners: Corners
}

/** In pixels. */
export interface Size {
  width: number
  height: number
}

/** In pixels: a smaller picture is not worth two workers. */
const smallestShared = 1_500_000
/** In pixels: what is read of a larger tile would take more than 100 MB in each worker. */
const largestTile = 4_000_000
/** Parts of the picture's width by which tiles overlap, so that a label is whole in one: bars stand along the spine. */
const overlapAside = 0.05
const overlapBelow = 0.12

/** In whole pixels. */
export function tilesOf(width: number, height: number, effort: Effort): Region[] {
  if (effort === 'live' || width * height < smallestShared) return [{ x: 0, y: 0, width, height }]
  const columns = partsOf(width, 2, Math.ceil(overlapAside * width))
  const rows = Math.ceil((width * height) / 2 / largestTile)
  return partsOf(height, rows, Math.ceil(overlapBelow * width)).flatMap((down) =>
    columns.map((across) => ({ x: across.from, y: down.from, width: across.length, height: down.length })),
  )
}

function partsOf(whole: number, count: number, overlap: number): { from: number; length: number }[] {
  const length = Math.min(whole, Math.ceil((whole + (count - 1) * overlap) / count))
  return Array.from({ length: count }, (_, nth) => ({
    from: count === 1 ? 0 : Math.round((nth * (whole - length)) / (count - 1)),
    length,
  }))
}

/** Reads one tile of a picture, cut out of it when its turn comes. */
export type ReadTile = (tile: Region) => Promise<Sighting[]>

/** Nothing runs, or runs any more, that reads codes. */
export class NoEngineError extends Error {}

/**
 * Every code of a picture: each reader takes its next tile when it has read one, so that only what is being read lies in memory.
 * The tile of a reader that fails goes to the others; rejects when none is left.
 */
export async function readTiles(
  picture: Size,
  effort: Effort,
  readers: readonly ReadTile[],
): Promise<Sighting[]> {
  const left = tilesOf(picture.width, picture.height, effort)
  const sightings: Sighting[] = []
  const readSome = async (read: ReadTile): Promise<void> => {
    for (let tile = left.shift(); tile !== undefined; tile = left.shift()) {
      try {
        sightings.push(...(await read(tile)))
      } catch (error) {
        left.push(tile)
        throw error
      }
    }
  }
  let working = readers
  while (left.length > 0) {
    if (working.length === 0) throw new NoEngineError('no engine that reads shelves is left')
    const ended = await Promise.allSettled(working.map(readSome))
    working = working.filter((_, nth) => ended[nth]?.status === 'fulfilled')
  }
  return mergeSightings(sightings, picture)
}

export const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
})

/** One for each label, also where two tiles or two looks saw it; the same text further away is another label. */
export function mergeSightings(sightings: readonly Sighting[], picture: Size): Sighting[] {
  const merged: { sighting: Sighting; middle: Point; longest: number }[] = []
  for (const sighting of sightings) {
    const corners = sighting.corners.map(({ x, y }) => ({ x: x * picture.width, y: y * picture.height }))
    const middle = middleOf(corners)
    const longest = 2 * Math.max(...corners.map((corner) => distance(corner, middle)))
    const same = merged.find(
      (one) =>
        one.sighting.text === sighting.text &&
        one.sighting.symbology === sighting.symbology &&
        distance(one.middle, middle) < Math.max(one.longest, longest) / 2,
    )
    if (same === undefined) merged.push({ sighting, middle, longest })
    // The larger one shows the whole symbol.
    else if (same.longest < longest) Object.assign(same, { sighting, middle, longest })
  }
  return merged.map(({ sighting }) => sighting)
}

export const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y)
