import { type RawBuilder, sql } from 'kysely'

import type { close as closeCall } from '../../contract/closings.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import {
  calendarOf,
  type ClosedDays,
  nextOpenDay,
  type OpenCalendar,
  type Openings,
  plusOpenDays,
  whyNoClosure,
} from '../../domain/open-days.ts'
import { isActive } from '../library-facts/active-reservation.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import { type Refused, violation } from '../http/outcome.ts'
import { queueLocked } from '../queue/lock-queue.ts'
import { readReservations } from '../queue/reservation-queries.ts'
import { maySetDaysOf, type Visibility } from '../visibility/visibility.ts'

/** What is set aside at a site s until a day when that is closed. */
const deadlinesToMove = (closing: Closing) =>
  sql`reservations v join sites s on s.id = v.site
    where ${isActive} and v.pickup_until is not null and ${fallsOnClosed(sql`v.pickup_until`, closing)}`

export async function countShelfDeadlines(db: Db, closing: Closing): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${deadlinesToMove(closing)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** What is set aside waits until the next open day. */
export async function moveShelfDeadlines(
  trx: Trx,
  closing: Closing,
  exchange: Exchange & { act: number },
): Promise<number> {
  // Queues before reservations, as everybody who decides on one takes them.
  await sql`select ${queueLocked(sql`awaited.reference_id`)}
    from (select distinct v.reference_id from ${deadlinesToMove(closing)} order by 1) awaited`.execute(trx)
  const { rows } = await sql<{ id: number }>`
    select v.id from ${deadlinesToMove(closing)} order by v.id for update of v`.execute(trx)
  const calendarAt = calendarsOf(exchange.openings)
  const kept = await readReservations(
    trx,
    rows.map(({ id }) => id),
    exchange,
  )
  const moves = kept.flatMap((before) => {
    const { site, pickup_until } = before
    if (site === null || pickup_until === null) return []
    const until = nextOpenDay(pickup_until, calendarAt(site))
    return until === pickup_until ? [] : [{ before, after: { ...before, pickup_until: until } }]
  })
  await sql`update reservations v set pickup_until = moved.until
    from unnest(${moves.map(({ after }) => after.id)}::int[], ${moves.map(({ after }) => after.pickup_until)}::date[]) as moved (id, until)
    where v.id = moved.id`.execute(trx)
  await journalEach(
    trx,
    exchange,
    moves.map(({ before, after }) => ({
      action: 'reservations.move_deadline',
      entity: 'reservations',
      entity_id: before.id,
      before,
      after,
    })),
  )
  return moves.length
}

/** What closes where, on the day when it is asked for. */
export type Closing = {
  site: number | null
  days: readonly ClosedDays[]
  spread_days: number
  today: CalendarDay
}

type Asked = Omit<VerbInput<typeof closeCall>['body'], 'mail'>

export const closingOf = ({ site, closures, spread_days = 1 }: Asked, today: CalendarDay): Closing => ({
  site,
  days: closures.map(({ first_day, last_day }) => ({ first_day, last_day })),
  spread_days,
  today,
})

export async function whyNotClosed(
  db: Db | Trx,
  visibility: Pick<Visibility, 'open'>,
  { site, closures }: { site: number | null; closures: readonly ClosedDays[] },
  fieldOf: (at: number) => string,
): Promise<Refused | null> {
  if (!maySetDaysOf(visibility, site)) {
    return violation(
      'site',
      site === null
        ? 'Vous ne pouvez fermer que les sites qui vous sont ouverts, un à un.'
        : 'Ce site n’existe pas.',
    )
  }
  if (site !== null) {
    const known = await db
      .selectFrom('sites')
      .select('id')
      .where('id', '=', site)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!known) return violation('site', 'Ce site n’existe pas.')
  }
  for (const [at, days] of closures.entries()) {
    const problem = whyNoClosure(days)
    if (problem !== null) return violation(fieldOf(at), problem)
  }
  return null
}

/** When sites are open once it has closed. */
export const openingsAfter = (openings: Openings, { site, days }: Closing): Openings => ({
  ...openings,
  closures: [...openings.closures, ...days.map((day) => ({ ...day, site }))],
})

/**
 * Whether what is due on a day at a site s is to move: the site is closed then. What was late before stays so,
 * unless the days that close had already passed.
 */
function fallsOnClosed(day: RawBuilder<unknown>, { site, days, today }: Closing): RawBuilder<unknown> {
  const within = sql`exists (
    select from json_to_recordset(${JSON.stringify(days)}::json) as d (first_day date, last_day date)
    where ${day} between d.first_day and d.last_day)`
  return sql`${site === null ? sql`true` : sql`s.id = ${site}`} and (${within} or ${day} >= ${today}::date and (
    extract(isodow from ${day})::int <> all(s.open_weekdays)
    or exists (select from closures c
      where c.deleted_at is null and (c.site is null or c.site = s.id) and ${day} between c.first_day and c.last_day)))`
}

/** Open loans l at a site s that are to move. */
export const loansToMove = (closing: Closing): RawBuilder<unknown> =>
  sql`l.status = 'in_progress' and l.deleted_at is null and ${fallsOnClosed(sql`l.end_date`, closing)}`

/** The open day to which it moves. What one reader has is due on one day, however much is spread. */
export function movedTo(
  from: CalendarDay,
  { reader, calendar, spread_days }: { reader: number; calendar: OpenCalendar; spread_days: number },
): CalendarDay {
  return plusOpenDays(nextOpenDay(from, calendar), reader % spread_days, calendar)
}

export const calendarsOf = (openings: Openings): ((site: number) => OpenCalendar) => {
  const known = new Map<number, OpenCalendar>()
  return (site) => {
    const calendar = known.get(site) ?? calendarOf(openings, site)
    known.set(site, calendar)
    return calendar
  }
}
