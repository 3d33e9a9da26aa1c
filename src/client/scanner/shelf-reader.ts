import { pixelsOf, sizeOf } from './frame-canvas.ts'
import type { TileRequest } from './shelf-worker.ts'
import { NoEngineError, type ReadTile, readTiles, type Sighting, type Size } from './sightings.ts'
import { openWorkerCalls, type WorkerCalls } from './worker-calls.ts'
import { takeFrame } from './worker-engine.ts'

/** Nothing of a picture is kept once it has been answered. */
export interface ShelfReader {
  /** Every code of a picture, which stays the caller's to close. Rejects when it breaks every engine. */
  read: (picture: ImageBitmap) => Promise<Sighting[]>
  /**
   * Has the frame that a film shows now read and told, and resolves once another can be taken, perhaps before that: no
   * frame ever waits for its turn. Rejects once one frame after the other has broken its engine.
   */
  watch: (film: HTMLVideoElement, onSeen: (sightings: Sighting[]) => void) => Promise<void>
  /** What is still being read comes to nothing. */
  close: () => void
}

/** More would take a telephone's cores from its camera and its screen. */
const mostWorkers = 2
/** Frames in a row that broke their worker, after which a film is not read any more. */
const mostBroken = 3
/** Milliseconds between two frames: of thirty a second every second one is read, because more would only warm the telephone. */
const pace = 60

type TileWorker = WorkerCalls<TileRequest, Sighting[]>

/** Rejects when no engine runs in this browser. */
export async function openShelfReader(): Promise<ShelfReader> {
  const cores = navigator.hardwareConcurrency || 1
  const opened = await Promise.allSettled(
    Array.from({ length: Math.min(mostWorkers, cores) }, openTileWorker),
  )
  const workers = opened.flatMap((one) => (one.status === 'fulfilled' ? [openedAnew(one.value)] : []))
  if (workers.length === 0) throw new NoEngineError('no engine that reads shelves runs in this browser')
  return {
    read: (picture) => readPicture(workers, picture),
    // A film goes on and on: it leaves the screen a core.
    watch: watchWith(workers.slice(0, Math.max(1, cores - 1))),
    close: () => workers.forEach((worker) => worker.close()),
  }
}

const openTileWorker = (): Promise<TileWorker> =>
  openWorkerCalls<TileRequest, Sighting[]>(
    'zxing-wasm',
    new Worker(new URL('./shelf-worker.ts', import.meta.url), { type: 'module' }),
    [],
  )

/** One that a picture broke, for want of memory mostly, is opened anew for what comes next. */
function openedAnew(first: TileWorker): TileWorker {
  let worker = Promise.resolve(first)
  let isClosed = false
  return {
    ask: async (asked, transfer) => {
      try {
        return await (await worker).ask(asked, transfer)
      } catch (error) {
        if (!isClosed) worker = openTileWorker()
        // Whoever asks next is told that it did not open.
        worker.catch(nothing)
        throw error
      }
    },
    close: () => {
      isClosed = true
      worker.then((one) => one.close(), nothing)
    },
  }
}

const nothing = (): void => undefined

function readPicture(workers: readonly TileWorker[], still: ImageBitmap): Promise<Sighting[]> {
  const picture: Size = { width: still.width, height: still.height }
  const readers = workers.map((worker): ReadTile => async ({ x, y, width, height }) => {
    const frame = await createImageBitmap(still, x, y, width, height)
    return give(worker, frame, { at: { x, y }, picture, effort: 'still' })
  })
  return readTiles(picture, 'still', readers)
}

function watchWith(idle: TileWorker[]): ShelfReader['watch'] {
  const underWay = new Set<Promise<void>>()
  let last = -Infinity
  let broken = 0

  return async (film, onSeen) => {
    const now = performance.now()
    if (now - last < pace) return
    const worker = idle.pop()
    if (worker === undefined) throw new NoEngineError('no engine that reads shelves is left')
    const frame = await takeFrame(film)
    if (frame === null) {
      idle.push(worker)
      return
    }
    last = now
    const read = async (): Promise<void> => {
      const request = { at: { x: 0, y: 0 }, picture: sizeOf(frame), effort: 'live' } as const
      const seen = await give(worker, frame, request).catch(() => null)
      broken = seen === null ? broken + 1 : 0
      if (broken < mostBroken) idle.push(worker)
      if (seen !== null) onSeen(seen)
    }
    const reading: Promise<void> = read()
      .catch(reportError)
      .finally(() => underWay.delete(reading))
    underWay.add(reading)
    while (idle.length === 0 && underWay.size > 0) await Promise.race(underWay)
  }
}

/** The frame goes to the worker; where workers have no canvas, its pixels do. */
async function give(
  { ask }: TileWorker,
  frame: VideoFrame | ImageBitmap,
  request: Omit<TileRequest, 'frame'>,
): Promise<Sighting[]> {
  try {
    if (typeof OffscreenCanvas === 'function') return await ask({ ...request, frame }, [frame])
    const { data, width, height } = pixelsOf(frame)
    return await ask({ ...request, frame: { data, width, height } }, [data.buffer])
  } finally {
    // Of one that was given away nothing is left here to close.
    frame.close()
  }
}
