import { decodeFrame, regionOf } from '../../src/client/scanner/decode-frame.ts'
import { frameModes } from '../../src/client/scanner/frame-modes.ts'
import type { FramePixels } from '../../src/client/scanner/frame-pixels.ts'
import { cutFrame } from '../../src/client/scanner/lines-agree.ts'
import type { Read } from '../../src/client/scanner/scan-agreement.ts'
import { cleanScan, type Symbology } from '../../src/domain/bar-code.ts'
import { drawBarCode } from '../support/fake-camera.ts'
import type { Pixels } from './read-png.ts'

/** One code of each kind, as it is printed, and what a scan of it gives. */
export const printedCodes: readonly (readonly [symbology: Symbology, printed: string, code: string])[] = [
  ['code_128', 'BIB-000123', 'BIB-000123'],
  ['code_39', 'ABC123', 'ABC123'],
  ['codabar', 'A31117013206375B', '31117013206375'],
  ['itf', '30712345000010', '30712345000010'],
  ['ean_13', '9780441014989', '9780441014989'],
  ['upc_a', '071831007995', '0071831007995'],
  ['qr_code', 'BIB-000123', 'BIB-000123'],
  ['data_matrix', 'BIB-000123', 'BIB-000123'],
]

/** The bars of a small label held at arm's length, in pixels of the camera. */
const barsOfLabel = { width: 560, height: 106 }

/** A brightness from 0 to 255 by a place, in pixels from the middle. */
export type Surface = (x: number, y: number) => number

const table = 170
const paper = 250
const ink = 25
const quietModules = 12

const isMatrix = (symbology: Symbology) => symbology === 'qr_code' || symbology === 'data_matrix'

/** A code printed on white, lying on a table; a matrix is a square as high as two bars. */
export async function printLabel(
  symbology: Symbology,
  code: string,
  { width, height } = barsOfLabel,
): Promise<Surface> {
  const drawn = await drawBarCode(code, symbology, 1)
  const across = drawn.width - 2 * quietModules
  const down = drawn.height - 2 * quietModules
  const bars = isMatrix(symbology) ? { width: 2 * height, height: 2 * height } : { width, height }
  const quiet = (quietModules * bars.width) / across
  return (x, y) => {
    const left = Math.floor((x / bars.width + 0.5) * across)
    const top = Math.floor((y / bars.height + 0.5) * down)
    if (left >= 0 && left < across && top >= 0 && top < down) {
      const module = drawn.data[(top + quietModules) * drawn.width + left + quietModules] ?? 255
      return module < 128 ? ink : paper
    }
    const isOnLabel = Math.abs(x) < bars.width / 2 + quiet && Math.abs(y) < bars.height / 2 + quiet
    return isOnLabel ? paper : table
  }
}

/** Turned clockwise, by degrees. */
export function turned(surface: Surface, degrees: number): Surface {
  const angle = (degrees * Math.PI) / 180
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  return (x, y) => surface(x * cos + y * sin, y * cos - x * sin)
}

export const moved =
  (surface: Surface, right: number, down: number): Surface =>
  (x, y) =>
    surface(x - right, y - down)

interface Lens {
  width: number
  height: number
  /** Pixels over which an edge is smeared, across and down. */
  blur?: { x: number; y: number }
}

/** Each pixel is the mean of nine places, as a sensor takes it. */
export function photograph(surface: Surface, { width, height, blur = { x: 1, y: 1 } }: Lens): Pixels {
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let place = 0; place < 9; place++) {
        const across = (((place % 3) - 1) * blur.x) / 3
        const down = ((Math.floor(place / 3) - 1) * blur.y) / 3
        sum += surface(x - width / 2 + across, y - height / 2 + down)
      }
      data.fill(sum / 9, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return { data, width, height }
}

/** A photograph as something to be photographed, on a table. */
export function surfaceOf({ data, width, height }: Pixels): Surface {
  const at = (x: number, y: number): number => {
    if (x < 0 || y < 0 || x >= width || y >= height) return table
    const from = (y * width + x) * 4
    return 0.299 * (data[from] ?? 0) + 0.587 * (data[from + 1] ?? 0) + 0.114 * (data[from + 2] ?? 0)
  }
  return (x, y) => {
    const [left, top] = [Math.floor(x + width / 2), Math.floor(y + height / 2)]
    const [right, below] = [x + width / 2 - left, y + height / 2 - top]
    const upper = at(left, top) + right * (at(left + 1, top) - at(left, top))
    const lower = at(left, top + 1) + right * (at(left + 1, top + 1) - at(left, top + 1))
    return upper + below * (lower - upper)
  }
}

export const lens = { width: 660, height: 660 }

/** What a camera held still gives in one turn of the modes. */
export async function readLive(frame: FramePixels): Promise<Set<string>> {
  const codes = new Set<string>()
  for (const mode of frameModes) {
    const read = await decodeFrame(cutFrame(frame, regionOf(frame.width, frame.height, mode)), mode)
    if (read !== null) codes.add(codeOf(read))
  }
  return codes
}

export const codeOf = (read: Read): string => cleanScan(read.text, read.symbology)
