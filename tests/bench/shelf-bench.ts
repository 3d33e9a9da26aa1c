import { readBarcodes } from 'zxing-wasm/reader'

import type { FramePixels } from '../../src/client/scanner/frame-pixels.ts'
import { drawShelf, type ShelfCode, shelfConditions, type ShelfWishes } from '../support/draw-shelf.ts'
import { readShelf } from '../support/read-shelf.ts'
import { startEngine } from '../scanner/start-engine.ts'
import { benchScale, inMs, median, type Section, type Table } from './section.ts'
import { filmShelf, type FilmWishes } from './shelf-film.ts'
import { openThreads, type Threads } from './shelf-threads.ts'

const seeds = benchScale === 'full' ? [1, 2, 3, 4] : [1]

/** Pictures of drawn shelves and films along one, beside one plain call of the engine. */
export const shelfSection: Section = {
  name: 'shelf',
  async *run() {
    await startEngine()
    const threads = openThreads()
    // The first call pays for the engines.
    await threads.read(blank, 'still')
    yield await readConditions(threads)
    yield await readSizes(threads)
    await threads.close()
    yield await readFilms()
  },
}

const blank: FramePixels = {
  data: new Uint8ClampedArray(2000 * 1000 * 4).fill(200),
  width: 2000,
  height: 1000,
}

const twelve = { width: 4032, height: 3024 }
const eight = { width: 3264, height: 2448 }
const two = { width: 1920, height: 1080 }

type Tally = { fair: number; read: number; wrong: number; times: number[] }
const empty = (): Tally => ({ fair: 0, read: 0, wrong: 0, times: [] })

const columns = [
  'shelf',
  'fair codes',
  'read',
  'wrong',
  'time, two threads',
  'floor: read',
  'floor: wrong',
  'floor: time',
]

async function readConditions(threads: Threads): Promise<Table> {
  const rows: string[][] = []
  for (const label of ['data_matrix', 'code_128'] as const) {
    for (const [name, condition] of Object.entries(shelfConditions)) {
      const wishes = { ...twelve, spines: 30, label, ...condition }
      rows.push(await readOne(threads, `${nameOf[label]}, ${name}`, wishes))
    }
  }
  return {
    title: 'Shelves of 30 drawn spines, 4032 × 3024, 600 mm across (a telephone at 45 cm)',
    notes: [
      `${seeds.length} picture(s) a row. Fair: in the picture, and a glare hides less than a tenth of it. The floor is one call of zxing-wasm with its thorough defaults on the whole picture, in one thread.`,
    ],
    columns,
    rows,
  }
}

const nameOf = { data_matrix: 'Data Matrix', code_128: 'Code 128' }

async function readSizes(threads: Threads): Promise<Table> {
  const rows: string[][] = []
  for (const size of [twelve, eight, two]) {
    for (const side of [8, 9, 12] as const) {
      for (const spines of side === 9 ? [10, 40] : [30]) {
        const name = `${size.width} × ${size.height}, Data Matrix of ${side} mm, ${spines} spines`
        const rowsOfBooks = spines * (side + 2) > 450 && size !== two ? 2 : 1
        rows.push(await readOne(threads, name, { ...size, spines, side, rows: rowsOfBooks }))
      }
    }
    if (size !== two) {
      const name = `${size.width} × ${size.height}, Code 128, 40 spines`
      rows.push(await readOne(threads, name, { ...size, spines: 40, label: 'code_128' }))
    }
  }
  return { title: 'Shelves by size, 600 mm across', columns, rows }
}

async function readOne(threads: Threads, name: string, wishes: Omit<ShelfWishes, 'seed'>): Promise<string[]> {
  const [ours, floor] = [empty(), empty()]
  for (const seed of seeds) {
    const { pixels, codes } = await drawShelf({ seed, ...wishes })
    await count(ours, codes, async () => (await threads.read(pixels, 'still')).map(({ text }) => text))
    await count(floor, codes, () => plainRead(pixels))
  }
  return [name, String(ours.fair), shareOf(ours), String(ours.wrong), timeOf(ours)].concat([
    shareOf(floor),
    String(floor.wrong),
    timeOf(floor),
  ])
}

const shareOf = ({ read, fair }: Tally): string => `${((100 * read) / fair).toFixed(1)} %`
const timeOf = ({ times }: Tally): string => `${inMs(median(times))} ms`

async function count(tally: Tally, codes: ShelfCode[], read: () => Promise<string[]>): Promise<void> {
  const start = performance.now()
  const texts = new Set(await read())
  tally.times.push(performance.now() - start)
  const fair = codes.filter(({ isFair }) => isFair)
  tally.fair += fair.length
  tally.read += fair.filter(({ text }) => texts.has(text)).length
  const known = new Set(codes.map(({ text }) => text))
  tally.wrong += [...texts].filter((text) => !known.has(text)).length
}

async function plainRead(pixels: FramePixels): Promise<string[]> {
  const results = await readBarcodes(pixels as ImageData, {
    formats: ['Code128', 'Code39', 'Codabar', 'ITF', 'EAN13', 'UPCA', 'QRCode', 'DataMatrix'],
    textMode: 'Plain',
  })
  return results.filter(({ isValid }) => isValid).map(({ text }) => text)
}

const films: Omit<FilmWishes, 'seed'>[] = [
  { ...two, shows: 600, exposure: 1 / 250 },
  { ...two, shows: 400, exposure: 1 / 250 },
  { ...two, shows: 400, exposure: 1 / 100, lean: 15 },
  { width: 1280, height: 720, shows: 400, exposure: 1 / 250 },
]

async function readFilms(): Promise<Table> {
  const rows: string[][] = []
  for (const wishes of benchScale === 'full' ? films : films.slice(1, 2)) {
    const [ours, floor] = [empty(), empty()]
    const { codes, frames } = await filmShelf({ seed: 1, ...wishes })
    const [seen, seenByFloor] = [new Set<string>(), new Set<string>()]
    for await (const frame of frames) {
      await see(seen, ours, async () => (await readShelf(frame, 'live')).map(({ text }) => text))
      await see(seenByFloor, floor, () => plainRead(frame))
    }
    for (const [tally, texts] of [
      [ours, seen],
      [floor, seenByFloor],
    ] as const) {
      const times = tally.times
      await count(tally, codes, () => Promise.resolve([...texts]))
      tally.times = times.slice(0, -1)
    }
    const { width, height, shows, exposure, lean = 0 } = wishes
    const distance = Math.round((shows * 45) / 600)
    const name = `${width} × ${height} at ${distance} cm, 1/${Math.round(1 / exposure)} s, leaning to ${lean}°`
    rows.push(
      [name, String(ours.fair), shareOf(ours), String(ours.wrong), timeOf(ours)].concat([
        shareOf(floor),
        String(floor.wrong),
        timeOf(floor),
      ]),
    )
  }
  return {
    title: 'A metre of shelf in ten seconds, 15 frames a second, Data Matrix of 9 mm',
    notes: [
      'Read at least once in the pass. Times are of one frame in one thread, the median; every frame is read.',
    ],
    columns,
    rows,
  }
}

async function see(seen: Set<string>, tally: Tally, read: () => Promise<string[]>): Promise<void> {
  const start = performance.now()
  for (const text of await read()) seen.add(text)
  tally.times.push(performance.now() - start)
}
