import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { openShelfReader, type ShelfReader } from '../../src/client/scanner/shelf-reader.ts'
import type { TileRequest } from '../../src/client/scanner/shelf-worker.ts'
import { NoEngineError } from '../../src/client/scanner/sightings.ts'

/**
 * How each worker fares, in the order in which they are opened: `late` breaks at its first tile, `slow` answers when it
 * is told to.
 */
let fates: ('runs' | 'broken' | 'lost' | 'late' | 'slow')[] = []
let workers: FakeWorker[] = []
/** Every picture that was made, but not held here. */
let pictures: { isOver: boolean }[] = []

type Asked = Omit<TileRequest, 'frame'> & { width: number; height: number; isPixels: boolean }

class FakeWorker extends EventTarget {
  readonly asked: Asked[] = []
  readonly #fate = fates[workers.length] ?? 'runs'
  isEnded = false
  answer: () => void = () => undefined

  constructor() {
    super()
    workers.push(this)
    queueMicrotask(() => {
      if (this.#fate === 'lost') this.dispatchEvent(new Event('error'))
      else this.#say({ kind: this.#fate === 'broken' ? 'broken' : 'ready' })
    })
  }

  postMessage({ id, frame, ...request }: TileRequest & { id: number }, transfer: unknown[]): void {
    const { width, height } = frame as FakeBitmap
    const isPixels = 'data' in frame
    this.asked.push({ ...request, width, height, isPixels })
    expect(transfer).toEqual([isPixels ? frame.data.buffer : frame])
    // The same label is seen by each tile: it lies where they overlap.
    const corner = { x: 0.5, y: 0.5 }
    const corners = [corner, corner, corner, { x: 0.52, y: 0.5 }]
    const read = [{ text: 'BIB-000123', symbology: 'data_matrix', corners }]
    this.answer = () => this.#say(this.#fate === 'late' ? { kind: 'broken' } : { kind: 'read', id, read })
    if (this.#fate !== 'slow') queueMicrotask(this.answer)
  }

  terminate(): void {
    this.isEnded = true
  }

  #say(data: object): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

class FakeBitmap {
  readonly fate = { isOver: false }
  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    pictures.push(this.fate)
  }
  close(): void {
    this.fate.isOver = true
  }
}

const bitmapOf = (width: number, height: number) => new FakeBitmap(width, height) as unknown as ImageBitmap
const film = { width: 1920, height: 1080 } as unknown as HTMLVideoElement

const readStill = (reader: ShelfReader) => reader.read(bitmapOf(4032, 3024))
const textsOf = (sightings: readonly { text: string }[]) => sightings.map(({ text }) => text)
const askedOf = () => workers.map(({ asked }) => asked.length)

let now = 0

beforeEach(() => {
  fates = []
  workers = []
  pictures = []
  now = 0
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('ImageBitmap', FakeBitmap)
  vi.stubGlobal('OffscreenCanvas', vi.fn())
  vi.stubGlobal('reportError', (error: unknown) => {
    throw error
  })
  vi.stubGlobal('navigator', { hardwareConcurrency: 8 })
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  vi.stubGlobal('createImageBitmap', (source: FakeBitmap, ...[, , width, height]: number[]) =>
    Promise.resolve(new FakeBitmap(width ?? source.width, height ?? source.height)),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('a reader of shelves', () => {
  it('shares the tiles of a still between two workers, and tells a code once', async () => {
    const reader = await openShelfReader()
    expect(textsOf(await readStill(reader))).toEqual(['BIB-000123'])
    expect(askedOf()).toEqual([2, 2])
    const tiles = workers.flatMap(({ asked }) => asked)
    for (const { picture, effort } of tiles) {
      expect([picture, effort]).toEqual([{ width: 4032, height: 3024 }, 'still'])
    }
    // No pixel is lost for being one of many: nothing is made smaller.
    expect(Math.max(...tiles.map(({ at, width }) => at.x + width))).toBe(4032)
    expect(Math.max(...tiles.map(({ at, height }) => at.y + height))).toBe(3024)
  })

  it('uses one worker on one core, which reads one tile after the other', async () => {
    vi.stubGlobal('navigator', { hardwareConcurrency: 1 })
    await readStill(await openShelfReader())
    expect(askedOf()).toEqual([4])
  })

  it.each(['broken', 'lost'] as const)('goes on with the other worker where one is %s', async (fate) => {
    fates = [fate, 'runs']
    const reader = await openShelfReader()
    expect(await readStill(reader)).toHaveLength(1)
    expect(askedOf()).toEqual([0, 4])
  })

  it('is refused where no worker runs', async () => {
    fates = ['broken', 'lost']
    await expect(openShelfReader()).rejects.toThrow('no engine that reads shelves runs in this browser')
  })

  it('rejects where no engine is left, and opens others for the next picture', async () => {
    fates = ['late', 'late', 'broken', 'lost']
    const reader = await openShelfReader()
    await expect(readStill(reader)).rejects.toThrow(NoEngineError)
    await expect(readStill(reader)).rejects.toThrow(NoEngineError)
    expect(await readStill(reader)).toHaveLength(1)
    reader.close()
    await vi.waitFor(() => expect(workers.filter(({ isEnded }) => !isEnded)).toEqual([]))
  })

  it('has the tile of an engine that breaks read by the other, then and afterwards', async () => {
    fates = ['late', 'runs']
    const reader = await openShelfReader()
    const whole = await readStill(reader)
    expect(whole.length).toBeGreaterThan(0)
    expect(await readStill(reader)).toEqual(whole)
  })

  it('ends its workers when it is closed, and then sees nothing', async () => {
    const reader = await openShelfReader()
    reader.close()
    await vi.waitFor(() => expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true]))
    expect(await reader.read(bitmapOf(1280, 720))).toEqual([])
  })

  it('takes the pixels on the page where workers have no canvas', async () => {
    vi.stubGlobal('OffscreenCanvas', undefined)
    const canvas = { width: 0, height: 0 }
    const context = {
      canvas,
      drawImage: () => undefined,
      getImageData: (_x: number, _y: number, width: number, height: number) => ({
        data: new Uint8ClampedArray(4),
        width,
        height,
      }),
    }
    vi.stubGlobal('document', { createElement: () => ({ getContext: () => context }) })
    expect(await readStill(await openShelfReader())).toHaveLength(1)
    const tiles = workers.flatMap(({ asked }) => asked)
    expect(tiles.map(({ isPixels }) => isPixels)).toEqual([true, true, true, true])
    // The page keeps none of it.
    expect(canvas).toEqual({ width: 0, height: 0 })
  })
})

describe('a film', () => {
  /** Shows a frame later than the one before. */
  const watch = (reader: ShelfReader, seen: string[] = []) => {
    now += 67
    return reader.watch(film, (sightings) => seen.push(...textsOf(sightings)))
  }

  it('has each frame told', async () => {
    const reader = await openShelfReader()
    const seen: string[] = []
    await watch(reader, seen)
    await watch(reader, seen)
    await vi.waitFor(() => expect(seen).toEqual(['BIB-000123', 'BIB-000123']))
    expect(workers.flatMap(({ asked }) => asked)).toMatchObject(
      Array.from({ length: 2 }, () => ({ effort: 'live', picture: { width: 1920, height: 1080 } })),
    )
  })

  it('is read by both workers at once, and a frame for which none is free is not taken', async () => {
    fates = ['slow', 'slow']
    const reader = await openShelfReader()
    const seen: string[] = []
    await watch(reader, seen)
    let isTaken = false
    const second = watch(reader, seen).then(() => (isTaken = true))
    await vi.waitFor(() => expect(askedOf()).toEqual([1, 1]))
    expect([isTaken, seen]).toEqual([false, []])
    workers[1]?.answer()
    await second
    expect(seen).toEqual(['BIB-000123'])
    await Promise.race([watch(reader, seen), Promise.resolve()])
    await vi.waitFor(() => expect(askedOf()).toEqual([1, 2]))
  })

  it('leaves a core to the screen', async () => {
    vi.stubGlobal('navigator', { hardwareConcurrency: 2 })
    fates = ['slow', 'slow']
    const reader = await openShelfReader()
    const first = watch(reader)
    await vi.waitFor(() => expect(askedOf()).toEqual([1, 0]))
    workers[0]?.answer()
    await first
  })

  it('is read fifteen times a second of thirty frames, and no more', async () => {
    const reader = await openShelfReader()
    for (let nth = 0; nth < 30; nth++) {
      now = (nth * 1000) / 30
      await reader.watch(film, () => undefined)
    }
    expect(askedOf().reduce((sum, one) => sum + one)).toBe(15)
  })

  it('goes on when a worker breaks, in whose place another is opened', async () => {
    fates = ['runs', 'late']
    const reader = await openShelfReader()
    const seen: string[] = []
    for (let nth = 0; nth < 4; nth++) await watch(reader, seen)
    await vi.waitFor(() => expect(seen).toHaveLength(3))
    expect(askedOf().reduce((sum, one) => sum + one)).toBe(4)
  })

  it('is given up when one frame after the other breaks its worker', async () => {
    fates = Array.from({ length: 12 }, () => 'late' as const)
    const reader = await openShelfReader()
    const frames = async () => {
      for (let nth = 0; nth < 10; nth++) await watch(reader)
    }
    await expect(frames()).rejects.toThrow('no engine that reads shelves is left')
    expect(workers.length).toBeLessThan(8)
  })

  it('goes on after an error of the screen that is told', async () => {
    const told = vi.fn()
    vi.stubGlobal('reportError', told)
    const reader = await openShelfReader()
    now = 67
    await reader.watch(film, () => {
      throw new Error('of the screen')
    })
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce())
    await watch(reader)
    expect(askedOf().reduce((sum, one) => sum + one)).toBe(2)
  })
})

describe('no picture is kept after its answer', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void

  it.each(['runs', 'late'] as const)('of a worker that %s', async (fate) => {
    fates = [fate, fate]
    const reader = await openShelfReader()
    const still = bitmapOf(4032, 3024)
    await reader.read(still).catch(() => undefined)
    still.close()
    for (now = 100; now < 500; now += 100) await reader.watch(film, () => undefined).catch(() => undefined)
    await vi.waitFor(() => expect(pictures.filter(({ isOver }) => !isOver)).toEqual([]))
  })

  it('of a reader that was closed meanwhile', async () => {
    const reader = await openShelfReader()
    reader.close()
    await reader.watch(film, () => undefined)
    await vi.waitFor(() => expect(pictures).toEqual([{ isOver: true }]))
  })

  it('nor held by anything that could still reach it', async () => {
    const reader = await openShelfReader()
    const read = async () => {
      const still = bitmapOf(4032, 3024)
      await reader.read(still)
      return new WeakRef(still)
    }
    const left = await read()
    await new Promise(setImmediate)
    collect()
    expect(left.deref()).toBeUndefined()
  })
})
