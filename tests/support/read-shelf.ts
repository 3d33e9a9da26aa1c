import type { FramePixels } from '../../src/client/scanner/frame-pixels.ts'
import { cutFrame } from '../../src/client/scanner/lines-agree.ts'
import { readTile } from '../../src/client/scanner/read-tile.ts'
import { type Effort, readTiles, type Sighting } from '../../src/client/scanner/sightings.ts'

/** Every code of a picture, read as the page reads it but in this thread. */
export const readShelf = (picture: FramePixels, effort: Effort): Promise<Sighting[]> =>
  readTiles(picture, effort, [(tile) => readTile(cutFrame(picture, tile), tile, picture, effort)])
