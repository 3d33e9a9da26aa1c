import { type RawBuilder, sql } from 'kysely'

import type { LoanStats, readLoanStats as readLoanStatsCall } from '../../contract/stats.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Period } from '../../domain/stat-periods.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { loanSitesInSight, type Sight } from '../sight/sight.ts'
import { askedPeriod } from './asked-period.ts'
import { partsOf } from './parts.ts'

type Asked = VerbInput<typeof readLoanStatsCall>['query']
type Told = Omit<LoanStats, 'period' | 'before' | 'loans'> & { now: number }

/** Loans that began in a period, by month, medium, category and site (decision 69 of the specification). */
export async function readLoanStats(
  db: Db,
  { query }: VerbInput<typeof readLoanStatsCall>,
  exchange: Exchange,
): Promise<Outcome<LoanStats>> {
  const asked = askedPeriod(query, exchange)
  if (!asked.ok) return asked
  const { period, before, sight } = asked
  const { today } = exchange
  const { rows } = await sql<Told>`
    with found as materialized (
      select l.site, l.start_date, l.amount, ${isLate(today)} as late, r.medium, r.category
      from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
      where ${begunIn(period, query, sight, today)})
    select (select count(*) from found)::int as now, (select count(*) from found where late)::int as late,
      (select coalesce(sum(amount), 0)::numeric(12, 2)::text from found) as amount,
      (select coalesce(json_agg(json_build_object('month', month, 'count', count) order by month), '[]')
        from (select to_char(start_date, 'YYYY-MM') as month, count(*) as count from found group by 1) months) as months,
      ${partsOf(sql`found`, { column: 'medium', table: 'media' })} as media,
      ${partsOf(sql`found`, { column: 'category', table: 'categories' })} as categories,
      ${partsOf(sql`found`, { column: 'site', table: 'sites' })} as sites`.execute(db)
  const [told] = rows
  if (!told) throw new Error('one row of figures always comes')
  const { now, ...figures } = told
  return done({
    period,
    before,
    loans: { now, before: await countBegunIn(db, before, query, sight, today) },
    ...figures,
  })
}

/** Brought back after its day, or past it now. */
const isLate = (today: CalendarDay) =>
  sql`(coalesce(l.return_date, ${today}::date) > l.end_date and l.status <> 'cancelled')`

function begunIn(
  { start_date, end_date }: Period,
  { delay = 'all', progress }: Pick<Asked, 'delay' | 'progress'>,
  sight: Sight,
  today: CalendarDay,
): RawBuilder<unknown> {
  const conditions = [
    sql`l.start_date between ${start_date}::date and ${end_date}::date`,
    sql`l.deleted_at is null`,
    loanSitesInSight(sight),
    // What was cancelled was never lent, and is counted only where it is asked for.
    progress === undefined ? sql`l.status <> 'cancelled'` : sql`l.status = ${storedAs[progress]}`,
    ...(delay === 'all' ? [] : [delay === 'late' ? isLate(today) : sql`not ${isLate(today)}`]),
  ]
  return sql.join(conditions, sql` and `)
}

const storedAs = { in_progress: 'in_progress', finished: 'finished', canceled: 'cancelled' } as const

async function countBegunIn(db: Db, period: Period, query: Asked, sight: Sight, today: CalendarDay) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from loanings l where ${begunIn(period, query, sight, today)}`.execute(db)
  return rows[0]?.count ?? 0
}
