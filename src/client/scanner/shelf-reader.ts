import { sizeOf } from './frame-canvas.ts'
import type { TileRequest } from './shelf-worker.ts'
import { type Effort, mergeSightings, type Sighting, tilesOf } from './sightings.ts'
import { openWorkerCalls, type WorkerCalls } from './worker-calls.ts'
import { type FrameSource, takeFrame } from './worker-engine.ts'

export interface ShelfReader {
  /**
   * Every code that the picture shows now, none before a video's first frame. An ImageBitmap stays the caller's to close.
   * Rejects when the engine is broken for good.
   */
  read: (picture: FrameSource, effort: Effort) => Promise<Sighting[]>
  /** What is still being read comes to nothing. */
  close: () => void
}

/** More would take a telephone's cores from its camera and its screen. */
const mostWorkers = 2

type TileWorker = WorkerCalls<TileRequest, Sighting[]>

/** Rejects when no engine runs in this browser. */
export async function openShelfReader(): Promise<ShelfReader> {
  const count = Math.min(mostWorkers, navigator.hardwareConcurrency || 1)
  const opened = await Promise.allSettled(Array.from({ length: count }, openTileWorker))
  const workers = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  if (workers.length === 0) throw new Error('no engine that reads shelves runs in this browser')
  return {
    read: (picture, effort) => readPicture(workers, picture, effort),
    close: () => workers.forEach((worker) => worker.close()),
  }
}

const openTileWorker = (): Promise<TileWorker> =>
  openWorkerCalls<TileRequest, Sighting[]>(
    'zxing-wasm',
    new Worker(new URL('./shelf-worker.ts', import.meta.url), { type: 'module' }),
    [],
  )

async function readPicture(
  workers: readonly TileWorker[],
  source: FrameSource,
  effort: Effort,
): Promise<Sighting[]> {
  // A video goes on meanwhile.
  const still = source instanceof ImageBitmap ? source : await takeFrame(source)
  if (still === null) return []
  const picture = sizeOf(still)
  const tiles = tilesOf(picture.width, picture.height, effort)
  const [worker] = workers
  if (still !== source && tiles.length === 1 && worker !== undefined) {
    return worker.ask({ frame: still, at: { x: 0, y: 0 }, picture, effort }, [still])
  }
  // Each is given its next tile when it has read one, so that only what is being read lies in memory.
  const readTiles = async (worker: TileWorker, first: number): Promise<Sighting[]> => {
    const sightings: Sighting[] = []
    for (let nth = first; nth < tiles.length; nth += workers.length) {
      const { x, y, width, height } = tiles[nth] ?? { x: 0, y: 0, ...picture }
      const frame = await createImageBitmap(still, x, y, width, height)
      sightings.push(...(await worker.ask({ frame, at: { x, y }, picture, effort }, [frame])))
    }
    return sightings
  }
  try {
    return mergeSightings((await Promise.all(workers.map(readTiles))).flat(), picture)
  } finally {
    if (still !== source) still.close()
  }
}
