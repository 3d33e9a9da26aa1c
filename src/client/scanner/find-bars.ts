import { type BarDirection, between, type Cell, cellAt, meanAngle } from './bar-direction.ts'
import type { GreyPixels } from './frame-pixels.ts'

/** In pixels: some bars of two pixels each, and less than the height of any. */
const side = 16
/** Of a cell whose contrast goes less one way, letters or two edges are shown. */
const oneWay = 0.7
/** Neighbours that differ by more are not of the same label. */
const alike = Math.PI / 12
const fewestCells = 5
/** In pixels: a narrower one is the edge of something. */
const shortest = 4 * side
/** Bars are not higher than so many times their row is long. */
const highest = 1.5
/** More are a carpet. */
const mostGroups = 100

/** Each row of bars by itself, the clearest first: a picture may show many labels, each with its own direction. */
export function findBars(grey: GreyPixels): BarDirection[] {
  const columns = Math.max(0, Math.floor((grey.width - 2) / side))
  const rows = Math.max(0, Math.floor((grey.height - 2) / side))
  // One column stays empty, so that the end of a row does not touch the next one.
  const stride = columns + 1
  const left = new Map<number, Cell>()
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const cell = cellAt(grey, 1 + column * side, 1 + row * side, side)
      if (cell !== null && cell.coherence >= oneWay) left.set(row * stride + column, cell)
    }
  }
  const groups: BarDirection[] = []
  for (const start of left.keys()) {
    const cells = takeGroup(left, start, stride)
    if (cells.length < fewestCells) continue
    const angle = meanAngle(cells)
    const along = spread(cells, Math.cos(angle), Math.sin(angle))
    const beside = spread(cells, -Math.sin(angle), Math.cos(angle))
    if (along < shortest || beside > highest * along) continue
    groups.push({ angle, cells, clearness: cells.reduce((sum, { clearness }) => sum + clearness, 0) })
  }
  return groups.sort((one, other) => other.clearness - one.clearness).slice(0, mostGroups)
}

/** Takes a cell and all that touch it, one after the other, out of what is left. */
function takeGroup(left: Map<number, Cell>, start: number, stride: number): Cell[] {
  const taken: { place: number; cell: Cell }[] = []
  const take = (place: number, beside?: Cell): void => {
    const cell = left.get(place)
    if (cell === undefined || (beside !== undefined && between(cell.angle, beside.angle) > alike)) return
    left.delete(place)
    taken.push({ place, cell })
  }
  take(start)
  // It grows meanwhile.
  for (const { place, cell } of taken) {
    for (const down of [-stride, 0, stride]) {
      for (const right of [-1, 0, 1]) take(place + down + right, cell)
    }
  }
  return taken.map(({ cell }) => cell)
}

function spread(cells: readonly Cell[], cos: number, sin: number): number {
  const places = cells.map(({ x, y }) => x * cos + y * sin)
  return Math.max(...places) - Math.min(...places) + side
}
