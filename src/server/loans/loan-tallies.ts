import { type RawBuilder, sql } from 'kysely'

import type { Filter, ListQuery } from '../../contract/list.ts'
import type { Db } from '../db/handles.ts'
import { type FilterColumn, whereOf } from '../db/list-sql.ts'
import type { LongList } from '../db/read-list.ts'
import { loanSitesInSight, loansInSight, returnedSince, type Sight } from '../sight/sight.ts'

const talliedFields = ['status', 'start_date', 'site']

/** Adds up tallies instead of counting years of loans; by start date they also tell a page's first day. */
export function tallied(
  db: Db,
  { filters, order }: ListQuery,
  columns: Record<string, FilterColumn>,
  sight: Sight,
): Pick<LongList, 'total' | 'landmark'> {
  if (!filters.every(({ field }) => talliedFields.includes(field))) return {}
  const total = async () => (await talliedTotal(filters, columns, sight).execute(db)).rows[0]?.total ?? 0
  const [first, ...others] = order
  // Tallies count more than is in sight without the history.
  if (first?.field !== 'start_date' || others.length > 0 || sight.returnsSince !== null) return { total }
  const tallies = sql`loan_tallies l where ${whereOf(loansInSight(sight), filters, columns)}`
  const landmark: LongList['landmark'] = async ({ isFromEnd, skipped }) => {
    const isRising = (first.direction === 'asc') !== isFromEnd
    const { rows } = await sql<{ day: string; before: number }>`
      select day, before from (
        select start_date as day,
          (sum(sum(loans)) over (order by start_date ${sql.raw(isRising ? 'asc' : 'desc')}) - sum(loans))::int8 as before
        from ${tallies} group by start_date) days
      where before <= ${skipped} order by before desc, day ${sql.raw(isRising ? 'desc' : 'asc')} limit 1`.execute(
      db,
    )
    const [row] = rows
    if (!row) return null
    return {
      onwards: isRising ? sql`l.start_date >= ${row.day}` : sql`l.start_date <= ${row.day}`,
      before: row.before,
    }
  }
  return { total, landmark }
}

/** Without the right to the history: open loans from the tallies, and today's returns counted. */
function talliedTotal(
  filters: readonly Filter[],
  columns: Record<string, FilterColumn>,
  sight: Sight,
): RawBuilder<{ total: number }> {
  if (sight.returnsSince === null) {
    return sql`select coalesce(sum(l.loans), 0) as total from loan_tallies l
      where ${whereOf(loansInSight(sight), filters, columns)}`
  }
  const found = whereOf(loanSitesInSight(sight), filters, columns)
  return sql`select (
      select coalesce(sum(l.loans), 0) from loan_tallies l where l.status = 'in_progress' and ${found}
    ) + (
      select count(*) from loanings l
      where l.deleted_at is null and ${returnedSince(sight.returnsSince)} and ${found}
    ) as total`
}
