import { type RawBuilder, sql } from 'kysely'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import { isActive } from '../library-facts/active-reservation.ts'
import {
  loanOpen,
  mayNameBorrowers,
  readerNameWhere,
  readerOpen,
  reservationOpen,
  returnedSince,
  type Visibility,
} from '../visibility/visibility.ts'

// What stands on a line of the calendar: loans (l) and reservations (v), of copies (c) and titles (r), for readers (b).

export type Scope = { visibility: Visibility; today: CalendarDay; timezone: string }
export type Span = { first_day: CalendarDay; last_day: CalendarDay }

/** Bars as they are told, the earliest first. */
export const inOrder = (bars: RawBuilder<unknown>) => sql`(
  select coalesce(json_agg(bar order by bar.first_day, bar.last_day, bar.id), '[]') from (${bars}) bar)`

/** A loan l of a reader b, who may have been forgotten. */
export const loanBar = ({ visibility, today }: Scope) => sql`
  'loan' as kind, l.id,
  case when l.status = 'finished' then 'returned' when l.end_date < ${today}::date then 'overdue' else 'loan' end as state,
  l.start_date as first_day, coalesce(l.return_date, greatest(l.end_date, ${today}::date)) as last_day, l.end_date as due,
  ${mayNameBorrowers(visibility) ? sql`case when ${loanOpen(visibility)} then l.beneficiary end` : sql`null::integer`} as beneficiary,
  case when l.beneficiary is not null then ${namedWhere(mayNameBorrowers(visibility), sql`(${loanOpen(visibility)} and ${readerOpen(visibility)})`)} end as beneficiary_name`

/** A reservation v of a reader b. */
export const reservationBar = ({ visibility, today, timezone }: Scope) => sql`
  'reservation' as kind, v.id, 'reservation' as state, ${firstHeld(timezone)} as first_day,
  ${lastHeld(today)} as last_day, v.pickup_until as due,
  ${mayNameWaiting(visibility) ? sql`v.beneficiary_id` : sql`null::integer`} as beneficiary,
  ${namedWhere(mayNameWaiting(visibility), reservationOpen(visibility))} as beneficiary_name`

/** Of a copy c. */
export const loansOf = (span: Span, scope: Scope) => sql`
  select ${loanBar(scope)}
  from loanings l left join beneficiaries b on b.id = l.beneficiary
  where l.copy = c.id and ((l.status = 'in_progress' and ${isOut(span, scope.today)}) or (${wasOut(span, scope.visibility)}))`

/** Of a reference r, those of which a condition holds. */
export const reservationsOf = (condition: RawBuilder<unknown>, span: Span, scope: Scope) => sql`
  select ${reservationBar(scope)}
  from reservations v join beneficiaries b on b.id = v.beneficiary_id
  where v.reference_id = r.id and ${isActive} and ${holdsDays(span, scope)} and ${condition}`

const mayNameWaiting = (visibility: Visibility) =>
  mayNameBorrowers(visibility) || visibility.rights.has('LIST_RESERVATIONS')
const namedWhere = (mayName: boolean, isOpen: RawBuilder<unknown>) =>
  mayName ? readerNameWhere(isOpen) : sql`null::text`

/** A loan that goes on lasts until it is due, and a late one until today. */
export const isOut = ({ first_day, last_day }: Span, today: CalendarDay) => sql`
  l.deleted_at is null and l.start_date <= ${last_day}::date and greatest(l.end_date, ${today}::date) >= ${first_day}::date`

export const wasOut = ({ first_day, last_day }: Span, visibility: Visibility) => sql`
  ${isFinishedInSight(visibility)} and l.start_date <= ${last_day}::date and l.return_date >= ${first_day}::date`

export const isFinishedInSight = (visibility: Visibility) => sql`
  l.status = 'finished' and l.deleted_at is null and ${loanOpen(visibility)}
  and ${visibility.returnsSince === null ? sql`true` : returnedSince(visibility.returnsSince)}`

export const firstHeld = (timezone: string) =>
  sql`case when v.set_aside_copy is null then v.start_date
    else least(v.start_date, (v.set_aside_at at time zone ${timezone})::date) end`
export const lastHeld = (today: CalendarDay) => sql`
  case when v.set_aside_copy is null then v.end_date else greatest(v.end_date, v.pickup_until, ${today}::date) end`

/** Days of its own, and those for which a copy is set aside, which lasts until somebody decides; places in a queue hold none. */
export const holdsDays = ({ first_day, last_day }: Span, { today, timezone }: Scope) => sql`
  (v.start_date is not null or v.set_aside_copy is not null)
  and ${firstHeld(timezone)} <= ${last_day}::date and ${lastHeld(today)} >= ${first_day}::date`
