import { type RawBuilder, sql } from 'kysely'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import { monthsWithin, type Period } from '../../domain/stat-periods.ts'
import { loanSitesInSight, type Sight } from '../sight/sight.ts'

/** Lines l of the tallies of loans that began in a period: its whole months, and the days around them. */
export function begunIn(period: Period, sight: Sight): RawBuilder<unknown> {
  const { months, days } = monthsWithin(period)
  const spans = [...(months ? [spanOf('month', months)] : []), ...days.map((some) => spanOf('day', some))]
  return sql`(${sql.join(spans, sql` or `)}) and ${loanSitesInSight(sight)}`
}

const spanOf = (span: 'day' | 'month', { start_date, end_date }: Period) =>
  sql`(l.span = ${sql.lit(span)} and l.starts_on between ${start_date}::date and ${end_date}::date)`

/** Every loan once, in lines l, of those that are out. */
export const outNow = (sight: Sight): RawBuilder<unknown> =>
  sql`l.span = 'month' and l.due_on is not null and ${loanSitesInSight(sight)}`

/** Brought back after its day, or past it now. */
export const isLate = (today: CalendarDay): RawBuilder<unknown> =>
  sql`(l.late or coalesce(l.due_on < ${today}::date, false))`
