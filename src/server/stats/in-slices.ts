import { type RawBuilder, sql } from 'kysely'

import { plusDays } from '../../domain/calendar-day.ts'
import type { Period } from '../../domain/stat-periods.ts'
import type { Db } from '../db/handles.ts'
import { oneRow } from '../db/one-row.ts'
import { rowsAtOnce } from '../db/lists/planned-cost.ts'
import { piecesOf, within } from '../db/lists/table-pieces.ts'

// The embedded engine runs one statement at a time, and a scan waits for its end: there figures are counted in slices and added
// up here. On PostgreSQL all of it is one slice.

/** A period as days that have some thousands of loans together, the first first; a day with more is one slice. */
export async function slicesOfPeriod(db: Db, period: Period): Promise<readonly Period[]> {
  const most = rowsAtOnce(db)
  if (most === null) return [period]
  const { rows } = await sql<{ day: string; loans: number }>`
    select t.start_date as day, sum(t.loans)::int as loans from loan_tallies t
    where t.start_date between ${period.start_date}::date and ${period.end_date}::date group by 1 order by 1`.execute(
    db,
  )
  const starts: string[] = [period.start_date]
  let loansSince = 0
  for (const { day, loans } of rows) {
    if (loansSince > 0 && loansSince + loans > most) {
      starts.push(day)
      loansSince = 0
    }
    loansSince += loans
  }
  return starts.map((start_date, at) => {
    const next = starts[at + 1]
    return { start_date, end_date: next === undefined ? period.end_date : plusDays(next, -1) }
  })
}

/** Conditions that share a table out by the ids of its rows. */
export async function slicesOfTable(
  db: Db,
  table: 'references' | 'copies' | 'beneficiaries',
  id: RawBuilder<unknown>,
): Promise<readonly RawBuilder<unknown>[]> {
  const most = rowsAtOnce(db)
  if (most === null) return [sql`true`]
  const pieces = await piecesOf(db, sql.table(table), most)
  return pieces.map((piece) => within(id, piece))
}

type Columns = Readonly<Record<string, 'int' | 'text'>>

/** A relation of these columns and of how many rows have them (`count`), from what is counted of each slice. */
export async function countsOf<Slice>(
  db: Db,
  slices: readonly Slice[],
  columns: Columns,
  counting: (slice: Slice) => RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const [only] = slices
  if (only !== undefined && slices.length === 1) return sql`(${counting(only)})`
  const sums = new Map<string, Record<string, unknown> & { count: number }>()
  for (const slice of slices) {
    const { rows } = await sql<Record<string, unknown> & { count: number }>`${counting(slice)}`.execute(db)
    for (const row of rows) {
      const key = JSON.stringify(Object.keys(columns).map((name) => row[name]))
      const sum = sums.get(key)
      if (sum) sum.count += row.count
      else sums.set(key, row)
    }
  }
  const named = Object.entries({ ...columns, count: 'int' }).map(
    ([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`,
  )
  return sql`(select * from jsonb_to_recordset(${JSON.stringify([...sums.values()])}::jsonb) as told(${sql.join(named)}))`
}

/** The same of rows that are not told apart. */
export async function countOf<Slice>(
  db: Db,
  slices: readonly Slice[],
  counting: (slice: Slice) => RawBuilder<unknown>,
): Promise<number> {
  const { count } = await oneRow<{ count: number }>(
    db,
    sql`select coalesce(sum(x.count), 0)::int as count from ${await countsOf(db, slices, {}, counting)} x`,
  )
  return count
}
