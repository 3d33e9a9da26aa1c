import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import type { FramePixels, Region } from '../../src/client/scanner/frame-pixels.ts'
import { cutFrame } from '../../src/client/scanner/lines-agree.ts'
import { type Effort, readTiles, type Sighting, type Size } from '../../src/client/scanner/sightings.ts'

export interface TileAsked {
  data: ArrayBuffer
  tile: Region
  picture: Size
  effort: Effort
}

export interface Threads {
  read: (picture: FramePixels, effort: Effort) => Promise<Sighting[]>
  close: () => Promise<unknown>
}

/** Two threads that share the tiles of a picture, as the page's two workers do. */
export function openThreads(): Threads {
  const threads = [openThread(), openThread()]
  return {
    read: (picture, effort) => {
      const { width, height } = picture
      const readers = threads.map((thread) => async (tile: Region) => {
        const data = cutFrame(picture, tile).data.buffer as ArrayBuffer
        const asked: TileAsked = { data, tile, picture: { width, height }, effort }
        thread.postMessage(asked, [data])
        return (await once(thread, 'message'))[0] as Sighting[]
      })
      return readTiles(picture, effort, readers)
    },
    close: () => Promise.all(threads.map((thread) => thread.terminate())),
  }
}

// A thread does not inherit what lets node read TypeScript.
const openThread = (): Worker =>
  new Worker(
    `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(
      new URL('./shelf-tile.ts', import.meta.url).href,
    )}) })`,
    { eval: true },
  )
