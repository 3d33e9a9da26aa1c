import { readBarcodes, type ReaderOptions, type ReadResult } from 'zxing-wasm/reader'

import { crispen } from './crispen.ts'
import { findBars } from './find-bars.ts'
import { type FramePixels, type GreyPixels, greyOf, type Point } from './frame-pixels.ts'
import { linesAgree } from './lines-agree.ts'
import { sharpenFrame } from './sharpen-frame.ts'
import type { Corners, Effort, Sighting, Size } from './sightings.ts'
import { turnedPart } from './turn-frame.ts'
import { linearFormats, matrixFormats, readableFormats, symbologyOf } from './zxing-symbols.ts'

const all: ReaderOptions = {
  ...readableFormats,
  maxNumberOfSymbols: 255,
  tryHarder: true,
  tryRotate: true,
  // Labels are dark on white.
  tryInvert: false,
  tryDownscale: false,
}
const matrices: ReaderOptions = { ...all, formats: matrixFormats }
/** Bars are turned upright before. */
const bars: ReaderOptions = { ...all, formats: linearFormats, tryRotate: false }
/** Sharpening may invent bars, so one more line must agree. */
const sharpenedBars: ReaderOptions = { ...bars, minLineCount: 3 }
/** Of all that were tried, these read the most that are out of focus; of bars that are enlarged to four pixels a module. */
const unblurring = { scale: 1, radius: 3, strength: 3 }

/** In pixels: a smaller tile is enlarged, because its modules may be of two pixels. */
const largestEnlarged = 2_200_000

/**
 * Every code of a tile, whose top left lies at `tile` of the picture; corners are in parts of the whole picture. Rejects
 * only when the engine fails.
 */
export async function readTile(
  pixels: FramePixels,
  tile: Point,
  picture: Size,
  effort: Effort,
): Promise<Sighting[]> {
  const grey = greyOf(pixels)
  const found = [...(await readMatrices(pixels, grey, effort)), ...(await readBars(grey, effort))]
  return found.map((sighting) =>
    moved(sighting, ({ x, y }) => ({ x: (tile.x + x) / picture.width, y: (tile.y + y) / picture.height })),
  )
}

async function readMatrices(pixels: FramePixels, grey: GreyPixels, effort: Effort): Promise<Sighting[]> {
  const sightings: Sighting[] = []
  for (const look of looksAt(pixels, grey, effort)) {
    const scale = look.width / pixels.width
    for (const result of await readBarcodes(look as ImageData, matrices)) {
      const symbology = result.isValid ? symbologyOf(result) : null
      if (symbology === null) continue
      const sighting = { text: result.text, symbology, corners: cornersOf(result) }
      sightings.push(moved(sighting, ({ x, y }) => ({ x: x / scale, y: y / scale })))
    }
  }
  return sightings
}

/** One after the other, so that only one lies in memory. What one frame of a film leaves out is in many others. */
function* looksAt(pixels: FramePixels, grey: GreyPixels, effort: Effort): Generator<FramePixels> {
  if (effort === 'live') {
    yield crispen(grey, { radius: 1, strength: 1 })
    return
  }
  yield pixels
  if (pixels.width * pixels.height > largestEnlarged) yield crispen(grey, { radius: 2, strength: 2 })
  else yield sharpenFrame(pixels, { scale: 1.5, radius: 2, strength: 3 })
}

/** Few lines go through bars that lean, and narrow ones are told apart when they are enlarged: each group is turned by itself. */
async function readBars(grey: GreyPixels, effort: Effort): Promise<Sighting[]> {
  const sightings: Sighting[] = []
  for (const group of findBars(grey)) {
    const { pixels, inFrame } = turnedPart(grey, group)
    let found = await readTurned(pixels, bars)
    if (found.length === 0 && effort === 'still') {
      found = await readTurned(sharpenFrame(pixels, unblurring), sharpenedBars)
    }
    const inPlace = found.map((sighting) => moved(sighting, inFrame))
    sightings.push(...inPlace.filter(({ corners }) => corners.every((corner) => isInside(corner, grey))))
  }
  return sightings
}

async function readTurned(pixels: FramePixels, options: ReaderOptions): Promise<Sighting[]> {
  const results = (await readBarcodes(pixels as ImageData, options)).filter(({ isValid }) => isValid)
  const look = { frame: pixels, pixels, results, options }
  const sightings: Sighting[] = []
  for (const result of results) {
    const symbology = symbologyOf(result)
    if (symbology !== null && (await linesAgree(result, look))) {
      sightings.push({ text: result.text, symbology, corners: cornersOf(result) })
    }
  }
  return sightings
}

function cornersOf({ position: { topLeft, topRight, bottomRight, bottomLeft } }: ReadResult): Corners {
  return [topLeft, topRight, bottomRight, bottomLeft]
}

function moved(
  { corners: [one, two, three, four], ...read }: Sighting,
  to: (place: Point) => Point,
): Sighting {
  return { ...read, corners: [to(one), to(two), to(three), to(four)] }
}

/** In pixels: bars that reach the edge may go on behind it, and would be read short. */
const edge = 8
const isInside = ({ x, y }: Point, { width, height }: Size): boolean =>
  x >= edge && y >= edge && x < width - edge && y < height - edge
