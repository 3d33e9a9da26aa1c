import { type RawBuilder, sql } from 'kysely'

import type { Activity, readActivity as readActivityCall } from '../../contract/stats.ts'
import { daysBetween, plusDays } from '../../domain/calendar-day.ts'
import type { Period } from '../../domain/stat-periods.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { loanSitesInSight, type Sight } from '../sight/sight.ts'
import { askedPeriod } from './asked-period.ts'

type OfDays = ReadonlyMap<string, number>

/** Exits and returns of each day, each for whoever may see it (decision 68 of the specification). */
export async function readActivity(
  db: Db,
  { query }: VerbInput<typeof readActivityCall>,
  exchange: Exchange,
): Promise<Outcome<Activity>> {
  const asked = askedPeriod(query, exchange)
  if (!asked.ok) return asked
  const { period, before, sight } = asked
  const both = { start_date: before.start_date, end_date: period.end_date }
  const exits = sight.rights.has('STATISTIC_EXITSDAY') ? await exitsOf(db, both, sight) : null
  const returns = sight.rights.has('STATISTIC_RETURNSDAY') ? await returnsOf(db, both, sight) : null
  const compared = (of: OfDays | null) => of && { now: sumOver(of, period), before: sumOver(of, before) }
  return done({
    period,
    before,
    days: daysOf(period).map((day) => ({
      day,
      exits: exits && (exits.get(day) ?? 0),
      returns: returns && (returns.get(day) ?? 0),
    })),
    exits: compared(exits),
    returns: compared(returns),
  })
}

/** From the tallies, which are as long as the years are, not as the loans. */
const exitsOf = (db: Db, { start_date, end_date }: Period, sight: Sight) =>
  ofDays(
    db,
    sql`
    select l.start_date as day, sum(l.loans) as count from loan_tallies l
    where l.start_date between ${start_date}::date and ${end_date}::date and l.status <> 'cancelled'
      and ${loanSitesInSight(sight)}
    group by 1`,
  )

const returnsOf = (db: Db, { start_date, end_date }: Period, sight: Sight) =>
  ofDays(
    db,
    sql`
    select l.day, sum(l.returns) as count from return_tallies l
    where l.day between ${start_date}::date and ${end_date}::date and ${loanSitesInSight(sight)}
    group by 1`,
  )

/** The sum of a column is told as text. */
async function ofDays(db: Db, sums: RawBuilder<unknown>): Promise<OfDays> {
  const { rows } = await sql<{ day: string; count: string }>`${sums}`.execute(db)
  return new Map(rows.map(({ day, count }) => [day, Number(count)]))
}

const daysOf = ({ start_date, end_date }: Period): string[] =>
  Array.from({ length: daysBetween(start_date, end_date) + 1 }, (_, at) => plusDays(start_date, at))

const sumOver = (of: OfDays, { start_date, end_date }: Period): number => {
  let sum = 0
  for (const [day, count] of of) if (day >= start_date && day <= end_date) sum += count
  return sum
}
