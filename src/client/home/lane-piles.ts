import type { LaneLine } from './lane.ts'

/** Acts in a row for one reader, or nobody; `heading` is the line that chose the reader. */
export type Pile = { reader: number | null; heading: LaneLine | null; lines: LaneLine[] }

/** Piles and their lines, the last first; a reader who comes back has a new pile. */
export function pilesOf(lines: readonly LaneLine[]): Pile[] {
  const piles: Pile[] = []
  for (const line of lines) {
    const reader = readerOf(line)
    let pile = piles.at(-1)
    if (pile?.reader !== reader) {
      pile = { reader, heading: null, lines: [] }
      piles.push(pile)
    }
    if (line.step.name === 'reader' && pile.heading === null) pile.heading = line
    else pile.lines.unshift(line)
  }
  return piles.reverse()
}

/** The first `most` lines, headings included; a cut pile keeps its heading. */
export function shortened(piles: readonly Pile[], most: number): Pile[] {
  const shown: Pile[] = []
  let room = most
  for (const pile of piles) {
    if (room <= 0) break
    shown.push({ ...pile, lines: pile.lines.slice(0, room) })
    room -= pile.lines.length + (pile.heading ? 1 : 0)
  }
  return shown
}

/** For whom it was done, or who was chosen when it was scanned. */
function readerOf({ step, with_reader, before }: LaneLine): number | null {
  if (step.name === 'reader') return step.chosen.reader.id
  return with_reader ?? before.chosen?.reader.id ?? null
}
