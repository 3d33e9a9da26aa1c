import { isSameReader, type LaneLine, readerKey, type ReaderKey } from './lane.ts'

/**
 * Acts in a row for one reader, or nobody; `heading` is the line that chose the reader, and `beside` who was
 * chosen while copies of others came back.
 */
type ReaderGroup = {
  reader: ReaderKey | null
  beside: ReaderKey | null
  heading: LaneLine | null
  /** The last that was scanned here is the card of the reader who was chosen already. */
  isAgain: boolean
  lines: LaneLine[]
}

/** Groups and their lines, the last first; a reader who comes back has a new group. */
export function groupsOf(lines: readonly LaneLine[]): ReaderGroup[] {
  const groups: ReaderGroup[] = []
  for (const line of lines) {
    const group = takeGroup(groups, placeOf(line))
    group.isAgain = isSameCard(line, group.heading)
    if (group.isAgain) continue
    if (line.step.name === 'reader' && group.heading === null) group.heading = line
    else group.lines.unshift(line)
  }
  return groups.reverse()
}

const isSameCard = (line: LaneLine, heading: LaneLine | null): boolean =>
  line.step.name === 'reader' &&
  heading?.step.name === 'reader' &&
  isSameReader(line.step.chosen, heading.step.chosen)

/** Whether what was done for nobody would be taken for the reader's whose heading, without a line, stands above. */
export const isApart = (group: ReaderGroup, above: ReaderGroup | undefined): boolean =>
  group.heading === null && above !== undefined && above.heading !== null && above.lines.length === 0

type GroupPlace = Pick<ReaderGroup, 'reader' | 'beside'>

/**
 * The last group, where the line belongs there; a return for another does not end the chosen reader's group, unless
 * somebody waits for what came back: it must not sink under all that was done before.
 */
function takeGroup(groups: ReaderGroup[], { reader, beside }: GroupPlace): ReaderGroup {
  const at = groups.findLastIndex((group) => group.reader === reader && group.beside === beside)
  const last = groups.at(-1)
  const isLast = at === groups.length - 1
  const isBesideLast = at === groups.length - 2 && last?.beside === reader && last?.reader === beside
  const isPassed = isBesideLast && last.lines.some(isAwaited)
  const [found] = at >= 0 && (isLast || isBesideLast) && !isPassed ? groups.splice(at, 1) : []
  const heading = isPassed ? (groups[at]?.heading ?? null) : null
  const group: ReaderGroup = found ?? { reader, beside, heading, isAgain: false, lines: [] }
  groups.push(group)
  return group
}

/** Somebody waits for what it brought back, and whoever is at the counter is asked to set it aside. */
const isAwaited = ({ step }: LaneLine): boolean =>
  (step.name === 'kept' || step.name === 'received') && Boolean(step.awaited)

/** The first `most` lines, headings included; a cut group keeps its heading. */
export function firstGroups(groups: readonly ReaderGroup[], most: number): ReaderGroup[] {
  const shown: ReaderGroup[] = []
  let room = most
  for (const group of groups) {
    if (room <= 0) break
    shown.push({ ...group, lines: group.lines.slice(0, room) })
    room -= group.lines.length + (group.heading ? 1 : 0)
  }
  return shown
}

/** For whom it was done, or who was chosen when it was scanned; what another had comes back for nobody. */
function placeOf({ step, copy, with_reader, before }: LaneLine): GroupPlace {
  if (step.name === 'reader') return { reader: readerKey(step.chosen), beside: null }
  const chosen = with_reader ?? (before.chosen && readerKey(before.chosen))
  const comesBack = step.name === 'kept' ? step.act === 'return' : (copy?.loan ?? null) !== null
  const isTheirs = !comesBack || copy?.loan?.beneficiary_id === chosen
  return isTheirs ? { reader: chosen, beside: null } : { reader: null, beside: chosen }
}

/** Copies of one title that stand here are told apart by their codes. */
export function codesToShow(lines: readonly LaneLine[]): (line: LaneLine) => string | null {
  const codesOf = new Map<string, Set<string>>()
  for (const { copy } of lines)
    if (copy) codesOf.set(copy.title, (codesOf.get(copy.title) ?? new Set()).add(copy.bar_code))
  return ({ copy }) => (copy && (codesOf.get(copy.title)?.size ?? 0) > 1 ? copy.bar_code : null)
}
