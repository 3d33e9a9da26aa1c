import { type RawBuilder, sql } from 'kysely'

import type { Period } from '../../domain/stat-periods.ts'
import type { Db } from '../db/handles.ts'
import { rowsAtOnce } from '../db/lists/planned-cost.ts'
import { packIds, unpackIds } from '../db/lists/sort-numbers.ts'
import type { Visibility } from '../visibility/visibility.ts'
import { lentIn } from './borrowers.ts'
import { slicesOfPeriod } from './in-slices.ts'

/** How many loans each reader or title has, by its id. */
type Lent = ReadonlyMap<number, number>
type Subject = 'beneficiary' | 'reference'

const shown = 10

/**
 * The ten that were lent most of those that `among` chooses: it is given loans by id, a relation `lent(id, loans)`, and answers a
 * relation of ten at most that has both. Where no statement may be long, loans are added up slice by slice, and those that have
 * most are looked at first, until ten are found that no other can follow.
 */
export async function mostLent(
  db: Db,
  subject: Subject,
  { period, visibility }: { period: Period; visibility: Visibility },
  among: (lent: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const most = rowsAtOnce(db)
  if (most === null) return among(sql`(${loansBy(subject, period, visibility)}) lent`)
  const found: { id: number; loans: number }[] = []
  for (const part of inParts(await lentInSlices(db, subject, { period, visibility }), most, 'loans')) {
    const last = found.toSorted((a, b) => b.loans - a.loans)[shown - 1]
    if (last && (part[0]?.loans ?? 0) < last.loans) break
    const { rows } = await sql<{ id: number; loans: number }>`
      select first.id, first.loans from (${among(asLent(part))}) first`.execute(db)
    found.push(...rows)
  }
  return among(asLent(found))
}

/** The loans of a period by id. */
export const loansBy = (subject: Subject, period: Period, visibility: Visibility): RawBuilder<unknown> =>
  subject === 'beneficiary'
    ? sql`
      select l.beneficiary as id, count(*)::int as loans from loanings l
      where ${lentIn(period, visibility)} and l.beneficiary is not null group by 1`
    : sql`
      select c.reference as id, count(*)::int as loans from loanings l join copies c on c.id = l.copy
      where ${lentIn(period, visibility)} group by 1`

/** The same, in memory; of titles each copy is looked up once, and not for each of its loans. */
export async function lentInSlices(
  db: Db,
  subject: Subject,
  { period, visibility }: { period: Period; visibility: Visibility },
): Promise<Lent> {
  const ofSlice =
    subject === 'beneficiary'
      ? (slice: Period) => loansBy('beneficiary', slice, visibility)
      : (slice: Period) => sql`
          select l.copy as id, count(*)::int as loans from loanings l where ${lentIn(slice, visibility)} group by 1`
  const slices = await slicesOfPeriod(db, period)
  const lent = await addedUp(db, slices.map(ofSlice))
  if (subject === 'beneficiary') return lent
  const parts = [...inParts(lent, rowsAtOnce(db) ?? Infinity, 'id')]
  return addedUp(
    db,
    parts.map(
      (part) => sql`
        select c.reference as id, sum(lent.loans)::int as loans from ${asLent(part)} join copies c on c.id = lent.id
          and c.id between ${part[0]?.id ?? 0} and ${part.at(-1)?.id ?? 0}
        group by 1`,
    ),
  )
}

async function addedUp(db: Db, statements: readonly RawBuilder<unknown>[]): Promise<Lent> {
  const all = new Map<number, number>()
  for (const statement of statements) {
    const { rows } = await sql<{ ids: Buffer; loans: Buffer }>`
      select ${packIds(sql`id`)} as ids, ${packIds(sql`loans`)} as loans from (${statement}) counted`.execute(
      db,
    )
    const loans = unpackIds(rows[0]?.loans ?? Buffer.of())
    for (const [at, id] of unpackIds(rows[0]?.ids ?? Buffer.of()).entries())
      all.set(id, (all.get(id) ?? 0) + (loans[at] ?? 0))
  }
  return all
}

/** As many as a statement takes, by rising ids, or those with the most loans first. */
function* inParts(lent: Lent, most: number, by: 'id' | 'loans'): Generator<{ id: number; loans: number }[]> {
  // Sorted as numbers, because a comparison that is called each time takes ten times as long.
  const order =
    by === 'id'
      ? Float64Array.from(lent.keys()).sort()
      : Float64Array.from(lent, ([id, loans]) => loans * 2 ** 32 + id)
          .sort()
          .reverse()
          .map((both) => both % 2 ** 32)
  for (let at = 0; at < order.length; at += most)
    yield Array.from(order.subarray(at, at + most), (id) => ({ id, loans: lent.get(id) ?? 0 }))
}

const asLent = (lent: readonly { id: number; loans: number }[]): RawBuilder<unknown> => sql`
  unnest(${lent.map(({ id }) => id)}::int[], ${lent.map(({ loans }) => loans)}::int[]) as lent(id, loans)`
