import { beforeAll, describe, expect, it } from 'vitest'

import type { FramePixels, Point } from '../../src/client/scanner/frame-pixels.ts'
import { cutFrame } from '../../src/client/scanner/lines-agree.ts'
import { readTile } from '../../src/client/scanner/read-tile.ts'
import { mergeSightings, type Sighting, tilesOf } from '../../src/client/scanner/sightings.ts'
import { type DrawnShelf, drawShelf, shelfConditions } from '../support/draw-shelf.ts'
import { readShelf } from '../support/read-shelf.ts'
import { lens, photograph, printLabel, turned } from './tilted-label.ts'
import { startEngine } from './start-engine.ts'

beforeAll(startEngine)

/** As near as a telephone at 45 cm shows 600 mm on 4032 pixels, but less wide: 20 spines. */
let shelf: DrawnShelf
beforeAll(async () => {
  shelf = await drawShelf({ seed: 5, width: 1800, height: 860, shows: 268, spines: 20 })
})

const textsOf = (sightings: readonly { text: string }[]): string[] => sightings.map(({ text }) => text)

const middleOf = (corners: readonly Point[]): Point => ({
  x: corners.reduce((sum, { x }) => sum + x, 0) / corners.length,
  y: corners.reduce((sum, { y }) => sum + y, 0) / corners.length,
})

describe('a plain shelf of twenty', () => {
  it('is read from left to right, each code at its place', async () => {
    const { pixels, codes } = shelf
    const sightings = await readShelf(pixels, 'still')
    const ordered = sightings.toSorted((one, other) => middleOf(one.corners).x - middleOf(other.corners).x)
    expect(textsOf(ordered)).toEqual(textsOf(codes))
    for (const [at, { corners, symbology }] of ordered.entries()) {
      expect(symbology).toBe('data_matrix')
      for (const [nth, corner] of corners.entries()) {
        const drawn = codes[at]?.corners[nth]
        // A tenth of a label.
        expect(Math.abs(corner.x - (drawn?.x ?? NaN)) * pixels.width).toBeLessThan(6)
        expect(Math.abs(corner.y - (drawn?.y ?? NaN)) * pixels.height).toBeLessThan(6)
      }
    }
  })

  it('is seen twice where two tiles overlap, and told once', async () => {
    const { pixels, codes } = shelf
    const tiles = [0, 700].map((x) => ({ x, y: 0, width: 1100, height: pixels.height }))
    const seen = await Promise.all(
      tiles.map((tile) => readTile(cutFrame(pixels, tile), tile, pixels, 'live')),
    )
    expect(new Set(textsOf(seen.flat())).size).toBe(codes.length)
    expect(seen.flat().length).toBeGreaterThan(codes.length)
    expect(mergeSightings(seen.flat(), pixels)).toHaveLength(codes.length)
  })
})

describe('the tiles of a picture', () => {
  it.each([
    [4032, 3024, 4],
    [3264, 2448, 2],
    [3024, 4032, 4],
    [8064, 6048, 14],
    [1920, 1080, 2],
    [1280, 720, 1],
  ])('of %i × %i cover it, overlap, and are as small as a worker needs', (width, height, count) => {
    const tiles = tilesOf(width, height, 'still')
    expect(tiles).toHaveLength(count)
    for (const tile of tiles) {
      expect(tile.x >= 0 && tile.y >= 0).toBe(true)
      expect(tile.x + tile.width <= width && tile.y + tile.height <= height).toBe(true)
      expect(tile.width * tile.height).toBeLessThan(count > 4 ? 8_000_000 : 4_500_000)
    }
    const label = 0.05 * width
    for (let x = 0; x + label <= width; x += label / 2) {
      const isWhole = tiles.some((tile) => tile.x <= x && x + label <= tile.x + tile.width)
      expect(isWhole).toBe(true)
    }
  })

  it('are one of a live frame', () => {
    expect(tilesOf(1920, 1080, 'live')).toEqual([{ x: 0, y: 0, width: 1920, height: 1080 }])
  })
})

describe.each(Object.entries(shelfConditions))('a shelf that is %s', (name, condition) => {
  it.each(['data_matrix', 'code_128'] as const)('is read as %s, and nothing else is', async (label) => {
    // Bars go along the spine.
    const height = label === 'code_128' ? 620 : 430
    const size = 'rows' in condition ? { height: 2 * height, spines: 8 } : { height, spines: 4 }
    const wishes = { seed: 8, width: 760, shows: 113, ...size, label, ...condition }
    const { pixels, codes } = await drawShelf(wishes)
    expect(codes.some(({ isFair }) => isFair)).toBe(true)
    const read = new Set(textsOf(await readShelf(pixels, 'still')))
    expect([...read].filter((text) => !textsOf(codes).includes(text))).toEqual([])
    // Bars of 0.3 mm that are blurred by 0.2 mm are told apart by chance.
    if (label === 'code_128' && name === 'blurred') return
    expect(textsOf(codes.filter(({ isFair, text }) => isFair && !read.has(text)))).toEqual([])
  })
})

describe('a live frame', () => {
  it('gives most codes of a shelf by itself, and nothing else', async () => {
    const { pixels, codes } = await drawShelf({ seed: 6, width: 1280, height: 500, shows: 400, spines: 20 })
    const read = textsOf(await readShelf(pixels, 'live'))
    expect(read.filter((text) => !textsOf(codes).includes(text))).toEqual([])
    expect(read.length).toBeGreaterThan(codes.length / 2)
  })
})

describe('what is no whole code', () => {
  it('is not seen in an empty picture', async () => {
    const blank: FramePixels = {
      data: new Uint8ClampedArray(640 * 480 * 4).fill(230),
      width: 640,
      height: 480,
    }
    expect(await readShelf(blank, 'still')).toEqual([])
    expect(await readShelf(blank, 'live')).toEqual([])
  })

  it.each([0, 15, 90])('is not seen of bars that the edge cuts, at %i°', async (angle) => {
    const label = await printLabel('itf', '30712345000010')
    const whole = photograph(turned(label, angle), lens)
    expect(textsOf(await readShelf(whole, 'still'))).toEqual(['30712345000010'])
    for (const width of [440, 500, 560]) {
      const region =
        angle === 90 ? { x: 0, y: 0, width: 660, height: width } : { x: 0, y: 0, width, height: 660 }
      const read = textsOf(await readShelf(cutFrame(whole, region), 'still'))
      expect(read.filter((text) => text !== '30712345000010')).toEqual([])
    }
  })
})

describe('the same text', () => {
  const seenAt = (x: number, y: number, side: number): Sighting => ({
    text: 'BIB-000123',
    symbology: 'data_matrix',
    corners: [
      { x, y },
      { x: x + side, y },
      { x: x + side, y: y + side },
      { x, y: y + side },
    ],
  })
  const picture = { width: 1000, height: 1000 }

  it('is one code at one place, the larger of what was seen', () => {
    const larger = seenAt(0.5, 0.5, 0.04)
    expect(mergeSightings([seenAt(0.51, 0.505, 0.02), larger, seenAt(0.5, 0.51, 0.03)], picture)).toEqual([
      larger,
    ])
  })

  it('is two codes at two places', () => {
    const apart = [seenAt(0.5, 0.5, 0.04), seenAt(0.55, 0.5, 0.04)]
    expect(mergeSightings(apart, picture)).toEqual(apart)
  })

  it('is two codes where another symbology says it', () => {
    const other: Sighting = { ...seenAt(0.5, 0.5, 0.04), symbology: 'qr_code' }
    expect(mergeSightings([seenAt(0.5, 0.5, 0.04), other], picture)).toHaveLength(2)
  })
})
