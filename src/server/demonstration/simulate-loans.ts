import type { Reader, Relative } from './invent-readers.ts'
import { openDaysPerWeek } from './open-days.ts'
import type { Copy } from './plan-copies.ts'
import type { Random } from './random.ts'
import type { Work } from './read-works.ts'

/** In ranks of open days; a loan returned after rank 0 is still out. */
export type PlannedLoan = {
  copy: Copy
  reader: Reader
  relative: Relative | null
  start: number
  due: number
  returned: number
  lentAt: number
  returnedAt: number
  isFree: boolean
  isCancelled: boolean
}

/** Two years of fifty-two weeks, up to the last open day before today. */
export const firstRank = -2 * 52 * openDaysPerWeek + 1
const secondYear = -52 * openDaysPerWeek + 1
const loansPerVisit = 3.4
const never = 1_000_000
/** A copy missing for longer was found since. */
const longestMissing = -170

/** Two years at the counter: works are asked for as in reality times `scale`, up to three times while out. */
export function simulateLoans(
  random: Random,
  works: readonly Work[],
  copies: readonly Copy[],
  readers: readonly Reader[],
  scale: number,
) {
  const asked = askedByRank(random, works, scale)
  const copiesOf = new Map<Work, { copy: Copy; free: number }[]>(works.map((work) => [work, []]))
  for (const copy of copies) {
    if (!copy.isKnown && copy.status === 'Disponible')
      copiesOf.get(copy.work)?.push({ copy, free: firstRank })
  }
  const loans: PlannedLoan[] = []
  const openOf = new Map<Reader, PlannedLoan[]>()

  for (let rank = firstRank; rank <= 0; rank++) {
    const requests = random.shuffle(asked.get(rank) ?? [])
    const visitors = visitorsOn(random, readers, rank, Math.ceil(requests.length / loansPerVisit))
    for (const { reader } of visitors) {
      openOf.set(
        reader,
        (openOf.get(reader) ?? []).filter(({ returned }) => returned > rank),
      )
    }
    for (const { work, tries } of requests) {
      const available = copiesOf.get(work)?.find(({ free }) => free <= rank)
      if (!available) {
        if (tries < 3 && rank < 0) asked.get(rank + 1)?.push({ work, tries: tries + 1 })
        continue
      }
      const visitor = findVisitor(random, visitors, work, (reader) => openOf.get(reader) ?? [])
      if (!visitor) continue
      const loan = lend(random, available.copy, visitor, rank)
      loans.push(loan)
      openOf.get(visitor.reader)?.push(loan)
      available.free = loan.returned + 1
    }
  }
  return loans
}

type Request = { work: Work; tries: number }
type Visitor = { reader: Reader; at: number }

function askedByRank(random: Random, works: readonly Work[], scale: number): Map<number, Request[]> {
  const asked = new Map<number, Request[]>()
  for (let rank = firstRank; rank <= 0; rank++) asked.set(rank, [])
  for (const work of works) {
    for (const [year, lent] of work.lent.entries()) {
      for (let left = random.round(lent * scale); left > 0; left--) {
        const rank = year === 0 ? random.between(firstRank, secondYear - 1) : random.between(secondYear, 0)
        asked.get(rank)?.push({ work, tries: 0 })
      }
    }
  }
  return asked
}

function visitorsOn(random: Random, readers: readonly Reader[], rank: number, count: number): Visitor[] {
  const members = readers
    .filter(({ joined, exit, activity }) => activity > 0 && joined <= rank && (exit === null || rank < exit))
    .map((reader) => [reader, reader.activity] as const)
  const visitors = new Map<Reader, Visitor>()
  for (let left = count; left > 0; left--) {
    const reader = random.weighted(members)
    visitors.set(reader, { reader, at: random.between(10 * 60, 17 * 60 + 45) })
  }
  return [...visitors.values()]
}

function findVisitor(
  random: Random,
  visitors: readonly Visitor[],
  work: Work,
  openOf: (reader: Reader) => readonly PlannedLoan[],
): Visitor | null {
  for (let tries = 0; tries < 8 && visitors.length > 0; tries++) {
    const visitor = random.pick(visitors)
    if (work.isForChildren && visitor.reader.relatives.length === 0 && tries < 3 && random.chance(0.7))
      continue
    const sameMedium = openOf(visitor.reader).filter(({ copy }) => copy.work.medium === work.medium)
    if (sameMedium.length < work.medium.max_loaning && !sameMedium.some(({ copy }) => copy.work === work))
      return visitor
  }
  return null
}

function lend(random: Random, copy: Copy, { reader, at }: Visitor, start: number): PlannedLoan {
  const { work } = copy
  const length = work.medium.duration * openDaysPerWeek
  const due = start + length
  const hasRelative = reader.relatives.length > 0 && random.chance(work.isForChildren ? 0.75 : 0.2)
  return {
    copy,
    reader,
    relative: hasRelative ? random.pick(reader.relatives) : null,
    start,
    due,
    returned: returnOf(random, start, length),
    lentAt: at,
    returnedAt: random.between(10 * 60, 17 * 60 + 55),
    isFree: work.medium.price !== '0.00' && random.chance(0.07),
    isCancelled: false,
  }
}

function returnOf(random: Random, start: number, length: number): number {
  const due = start + length
  const chance = random.next()
  if (chance < 0.7) return random.between(start + Math.ceil(length * 0.35), due - 1)
  if (chance < 0.875) return due
  if (chance < 0.97) return due + random.between(1, 5)
  return chance < 0.998 || start < longestMissing ? due + random.between(6, 30) : start + never
}
