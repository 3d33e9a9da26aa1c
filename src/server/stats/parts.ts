import { type RawBuilder, sql } from 'kysely'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import { monthsWithin, type Period } from '../../domain/stat-periods.ts'
import type { Db } from '../db/handles.ts'
import { isBounded } from '../db/lists/planned-cost.ts'
import { readOneInstant } from '../db/one-instant.ts'
import { visibleLoanSites, type Visibility } from '../visibility/visibility.ts'

/** What a statement of figures may keep in memory while it groups, before it writes to disk; three are read at once. */
const room = '64MB'

/**
 * The statements of one call tell of the same state. The embedded engine, which holds a scan back as long as a transaction
 * lasts, runs each by itself.
 */
export const ofOneState =
  <Input, Asked, Told>(read: (db: Db, input: Input, exchange: Asked) => Promise<Told>) =>
  (db: Db, input: Input, exchange: Asked): Promise<Told> =>
    isBounded(db)
      ? read(db, input, exchange)
      : readOneInstant(db, async (trx) => {
          await sql`set local work_mem = ${sql.lit(room)}`.execute(trx)
          return read(trx, input, exchange)
        })

/** Lines l of the tallies of loans that began in a period: its whole months, and the days around them. */
export function begunIn(period: Period, visibility: Visibility): RawBuilder<unknown> {
  const { months, days } = monthsWithin(period)
  const spans = [...(months ? [spanOf('month', months)] : []), ...days.map((some) => spanOf('day', some))]
  return sql`(${sql.join(spans, sql` or `)}) and ${visibleLoanSites(visibility)}`
}

const spanOf = (span: 'day' | 'month', { start_date, end_date }: Period) =>
  sql`(l.span = ${sql.lit(span)} and l.starts_on between ${start_date}::date and ${end_date}::date)`

/** Every loan once, in lines l, of those that are out. */
export const outNow = (visibility: Visibility): RawBuilder<unknown> =>
  sql`l.span = 'month' and l.due_on is not null and ${visibleLoanSites(visibility)}`

/** Brought back after its day, or past it now. */
export const isLate = (today: CalendarDay): RawBuilder<unknown> =>
  sql`(l.late or coalesce(l.due_on < ${today}::date, false))`

/** The rows of a relation by one of its columns, named by another table: the largest part first, what has none too. */
export const partsOf = (
  relation: RawBuilder<unknown>,
  { column, table, count = sql`count(*)` }: PartsOf,
): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(json_build_object('id', part.id, 'name', part.name, 'count', part.count)
    order by part.count desc, part.name, part.id), '[]')
  from (
    select counted.id, named.name, counted.count
    from (select x.${sql.ref(column)} as id, ${count} as count from ${relation} x group by 1) counted
      left join ${sql.table(table)} named on named.id = counted.id
    where counted.count <> 0
  ) part)`

type PartsOf = {
  column: 'category' | 'medium' | 'site' | 'agency_id'
  table: 'categories' | 'media' | 'sites'
  count?: RawBuilder<unknown>
}
