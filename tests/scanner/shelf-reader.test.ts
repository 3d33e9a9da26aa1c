import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { openShelfReader, type ShelfReader } from '../../src/client/scanner/shelf-reader.ts'
import type { TileRequest } from '../../src/client/scanner/shelf-worker.ts'

/** How each worker fares, in the order in which they are opened: `late` breaks at its first tile. */
let fates: ('runs' | 'broken' | 'lost' | 'late')[] = []
let workers: FakeWorker[] = []

class FakeWorker extends EventTarget {
  readonly asked: TileRequest[] = []
  readonly #fate = fates[workers.length] ?? 'runs'
  isEnded = false

  constructor() {
    super()
    workers.push(this)
    queueMicrotask(() => {
      if (this.#fate === 'lost') this.dispatchEvent(new Event('error'))
      else this.#say({ kind: this.#fate === 'broken' ? 'broken' : 'ready' })
    })
  }

  postMessage({ id, ...request }: TileRequest & { id: number }): void {
    this.asked.push(request)
    // The same label is seen by each tile: it lies where they overlap.
    const corner = { x: 0.5, y: 0.5 }
    const read = [
      {
        text: 'BIB-000123',
        symbology: 'data_matrix',
        corners: [corner, corner, corner, { x: 0.52, y: 0.5 }],
      },
    ]
    queueMicrotask(() => this.#say(this.#fate === 'late' ? { kind: 'broken' } : { kind: 'read', id, read }))
  }

  terminate(): void {
    this.isEnded = true
  }

  #say(data: object): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

class FakeBitmap {
  isClosed = false
  constructor(
    readonly width: number,
    readonly height: number,
  ) {}
  close(): void {
    this.isClosed = true
  }
}

const pictureOf = (width: number, height: number) => {
  const picture = new FakeBitmap(width, height)
  return { picture, bitmap: picture as unknown as ImageBitmap }
}

const readStill = (reader: ShelfReader) => reader.read(pictureOf(4032, 3024).bitmap, 'still')

beforeEach(() => {
  fates = []
  workers = []
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('ImageBitmap', FakeBitmap)
  vi.stubGlobal('navigator', { hardwareConcurrency: 8 })
  vi.stubGlobal('createImageBitmap', (source: FakeBitmap, ...[, , width, height]: number[]) =>
    Promise.resolve(new FakeBitmap(width ?? source.width, height ?? source.height)),
  )
})
afterEach(() => vi.unstubAllGlobals())

describe('a reader of shelves', () => {
  it('shares the tiles of a still between two workers, and tells a code once', async () => {
    const reader = await openShelfReader()
    const { picture, bitmap } = pictureOf(4032, 3024)
    expect((await reader.read(bitmap, 'still')).map(({ text }) => text)).toEqual(['BIB-000123'])
    expect(workers.map(({ asked }) => asked.length)).toEqual([2, 2])
    const tiles = workers.flatMap(({ asked }) => asked)
    for (const { picture } of tiles) expect(picture).toEqual({ width: 4032, height: 3024 })
    // No pixel is lost for being one of many: nothing is made smaller.
    const ends = tiles.map(({ at, frame }) => ({
      right: at.x + (frame as ImageBitmap).width,
      bottom: at.y + (frame as ImageBitmap).height,
    }))
    expect(Math.max(...ends.map(({ right }) => right))).toBe(4032)
    expect(Math.max(...ends.map(({ bottom }) => bottom))).toBe(3024)
    expect(picture.isClosed).toBe(false)
  })

  it('uses one worker on one core, which reads one tile after the other', async () => {
    vi.stubGlobal('navigator', { hardwareConcurrency: 1 })
    const reader = await openShelfReader()
    await readStill(reader)
    expect(workers.map(({ asked }) => asked.length)).toEqual([4])
  })

  it.each(['broken', 'lost'] as const)('goes on with the other worker where one is %s', async (fate) => {
    fates = [fate, 'runs']
    const reader = await openShelfReader()
    expect(await readStill(reader)).toHaveLength(1)
    expect(workers.map(({ asked }) => asked.length)).toEqual([0, 4])
  })

  it('is refused where no worker runs', async () => {
    fates = ['broken', 'lost']
    await expect(openShelfReader()).rejects.toThrow('no engine that reads shelves runs in this browser')
  })

  it('rejects once its engine has broken, and does not wait for it afterwards', async () => {
    fates = ['late', 'late']
    const reader = await openShelfReader()
    await expect(readStill(reader)).rejects.toThrow('zxing-wasm does not run here')
    await expect(readStill(reader)).rejects.toThrow('zxing-wasm does not run here')
  })

  it('ends its workers when it is closed, and then sees nothing', async () => {
    const reader = await openShelfReader()
    reader.close()
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true])
    expect(await reader.read(pictureOf(1280, 720).bitmap, 'live')).toEqual([])
  })
})
