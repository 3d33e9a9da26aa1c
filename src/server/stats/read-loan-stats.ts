import { type RawBuilder, sql } from 'kysely'

import type { LoanStats, readLoanStats as readLoanStatsCall } from '../../contract/stats.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Period } from '../../domain/stat-periods.ts'
import type { Db } from '../db/handles.ts'
import { oneRow } from '../db/one-row.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import type { Visibility } from '../visibility/visibility.ts'
import { askedPeriod } from './asked-period.ts'
import { begunIn, isLate, partsOf } from './parts.ts'

type Asked = VerbInput<typeof readLoanStatsCall>['query']
type Totals = { loans: number; late: number; amount: string }
type Told = Omit<LoanStats, 'period' | 'before' | keyof Totals> & Totals

/** Loans that began in a period, by month, medium, category and site. */
export async function readLoanStats(
  db: Db,
  { query }: VerbInput<typeof readLoanStatsCall>,
  exchange: Exchange,
): Promise<Outcome<LoanStats>> {
  const asked = askedPeriod(query, exchange)
  if (!asked.ok) return asked
  const { period, before, visibility } = asked
  const { today } = exchange
  const loans = sql`sum(x.loans)::int`
  const {
    loans: now,
    late,
    amount,
    ...parts
  } = await oneRow<Told>(
    db,
    sql`
    with found as materialized (
      select l.site, to_char(l.starts_on, 'YYYY-MM') as month, ${isLate(today)} as late, l.medium, l.category,
        sum(l.loans)::int as loans, sum(l.amount) as amount
      from lending_tallies l where ${begunAs(period, query, visibility, today)} group by 1, 2, 3, 4, 5)
    select coalesce(sum(loans), 0)::int as loans, coalesce(sum(loans) filter (where late), 0)::int as late,
      coalesce(sum(amount), 0)::numeric(12, 2)::text as amount,
      (select coalesce(json_agg(json_build_object('month', month, 'count', count) order by month), '[]')
        from (select month, ${loans} as count from found x group by 1) months where count <> 0) as months,
      ${partsOf(sql`found`, { column: 'medium', table: 'media', count: loans })} as media,
      ${partsOf(sql`found`, { column: 'category', table: 'categories', count: loans })} as categories,
      ${partsOf(sql`found`, { column: 'site', table: 'sites', count: loans })} as sites
    from found`,
  )
  const earlier = await totalsOf(db, begunAs(before, query, visibility, today), today)
  return done({
    period,
    before,
    loans: { now, before: earlier.loans },
    late: { now: late, before: earlier.late },
    amount: { now: amount, before: earlier.amount },
    ...parts,
  })
}

function begunAs(
  period: Period,
  { delay = 'all', progress }: Pick<Asked, 'delay' | 'progress'>,
  visibility: Visibility,
  today: CalendarDay,
): RawBuilder<unknown> {
  const conditions = [
    begunIn(period, visibility),
    // What was cancelled was never lent, and is counted only where it is asked for.
    progress === undefined ? sql`l.status <> 'cancelled'` : sql`l.status = ${storedAs[progress]}`,
    ...(delay === 'all' ? [] : [delay === 'late' ? isLate(today) : sql`not ${isLate(today)}`]),
  ]
  return sql.join(conditions, sql` and `)
}

const storedAs = { in_progress: 'in_progress', finished: 'finished', canceled: 'cancelled' } as const

const totalsOf = (db: Db, lines: RawBuilder<unknown>, today: CalendarDay) =>
  oneRow<Totals>(
    db,
    sql`
    select coalesce(sum(l.loans), 0)::int as loans, coalesce(sum(l.loans) filter (where ${isLate(today)}), 0)::int as late,
      coalesce(sum(l.amount), 0)::numeric(12, 2)::text as amount
    from lending_tallies l where ${lines}`,
  )
