import { isSameReader, type LaneLine, readerKey, type ReaderKey } from './lane.ts'

/**
 * Acts in a row for one reader, or nobody; `heading` is the line that chose the reader, and `beside` who was
 * chosen while copies of others came back.
 */
export type Pile = {
  reader: ReaderKey | null
  beside: ReaderKey | null
  heading: LaneLine | null
  /** The last that was scanned here is the card of the reader who was chosen already. */
  isAgain: boolean
  lines: LaneLine[]
}

/** Piles and their lines, the last first; a reader who comes back has a new pile. */
export function pilesOf(lines: readonly LaneLine[]): Pile[] {
  const piles: Pile[] = []
  for (const line of lines) {
    const pile = takePile(piles, placeOf(line))
    pile.isAgain = isSameCard(line, pile.heading)
    if (pile.isAgain) continue
    if (line.step.name === 'reader' && pile.heading === null) pile.heading = line
    else pile.lines.unshift(line)
  }
  return piles.reverse()
}

const isSameCard = (line: LaneLine, heading: LaneLine | null): boolean =>
  line.step.name === 'reader' &&
  heading?.step.name === 'reader' &&
  isSameReader(line.step.chosen, heading.step.chosen)

/** Whether what was done for nobody would be taken for the reader's whose heading, without a line, stands above. */
export const isApart = (pile: Pile, above: Pile | undefined): boolean =>
  pile.heading === null && above !== undefined && above.heading !== null && above.lines.length === 0

type Place = Pick<Pile, 'reader' | 'beside'>

/**
 * The last pile, where the line belongs there; a return for another does not end the chosen reader's pile, unless
 * somebody waits for what came back: it must not sink under all that was done before.
 */
function takePile(piles: Pile[], { reader, beside }: Place): Pile {
  const at = piles.findLastIndex((pile) => pile.reader === reader && pile.beside === beside)
  const last = piles.at(-1)
  const isLast = at === piles.length - 1
  const isBesideLast = at === piles.length - 2 && last?.beside === reader && last?.reader === beside
  const isPassed = isBesideLast && last.lines.some(isAwaited)
  const [found] = at >= 0 && (isLast || isBesideLast) && !isPassed ? piles.splice(at, 1) : []
  const heading = isPassed ? (piles[at]?.heading ?? null) : null
  const pile: Pile = found ?? { reader, beside, heading, isAgain: false, lines: [] }
  piles.push(pile)
  return pile
}

/** Somebody waits for what it brought back, and whoever is at the counter is asked to set it aside. */
const isAwaited = ({ step }: LaneLine): boolean =>
  (step.name === 'kept' || step.name === 'received') && Boolean(step.awaited)

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

/** For whom it was done, or who was chosen when it was scanned; what another had comes back for nobody. */
function placeOf({ step, copy, with_reader, before }: LaneLine): Place {
  if (step.name === 'reader') return { reader: readerKey(step.chosen), beside: null }
  const chosen = with_reader ?? (before.chosen && readerKey(before.chosen))
  const comesBack = step.name === 'kept' ? step.act === 'return' : (copy?.loan ?? null) !== null
  const isTheirs = !comesBack || copy?.loan?.beneficiary_id === chosen
  return isTheirs ? { reader: chosen, beside: null } : { reader: null, beside: chosen }
}
