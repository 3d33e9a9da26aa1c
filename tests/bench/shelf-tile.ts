// A thread that reads tiles, as the page's worker does.
import { parentPort } from 'node:worker_threads'

import { readTile } from '../../src/client/scanner/read-tile.ts'
import { startEngine } from '../scanner/start-engine.ts'
import type { TileAsked } from './shelf-threads.ts'

const started = startEngine()

parentPort?.on('message', ({ data, tile, picture, effort }: TileAsked) => {
  const read = async () => {
    await started
    const pixels = { data: new Uint8ClampedArray(data), width: tile.width, height: tile.height }
    parentPort?.postMessage(await readTile(pixels, tile, picture, effort), [])
  }
  void read()
})
