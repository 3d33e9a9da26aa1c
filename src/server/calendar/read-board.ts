import { type RawBuilder, sql } from 'kysely'

import type {
  Calendar,
  CalendarBoard,
  CalendarMove,
  readBoard as readBoardCall,
  readMoves as readMovesCall,
} from '../../contract/calendar.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { type Collection, collection, type MemberOf, membersOf } from '../../contract/list.ts'
import { type CalendarDay, plusDays } from '../../domain/calendar-day.ts'
import { boardDays, boardDaysBefore, boardRows } from '../../domain/calendar-weeks.ts'
import { calendarOf, isOpen, type Openings } from '../../domain/open-days.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { isActive } from '../library-facts/active-reservation.ts'
import {
  loanOpen,
  mayNameBorrowers,
  readerNameWhere,
  readerOpen,
  reservationOpen,
  returnedSince,
  type Visibility,
  visibleCopies,
  visibleReservationSites,
} from '../visibility/visibility.ts'

type Line = MemberOf<CalendarBoard>

const scopeOf = ({ visibility, today, parameters }: Exchange): Scope => ({
  visibility,
  today,
  timezone: parameters.get('timezone'),
})

export async function readBoard(
  db: Db,
  { query }: VerbInput<typeof readBoardCall>,
  exchange: Exchange,
): Promise<Outcome<CalendarBoard>> {
  const { today, openings } = exchange
  const { date = today, page } = query
  const first_day = plusDays(date, -boardDaysBefore)
  const lines = await findLines(db, { date, page, first_day }, scopeOf(exchange))
  const sites = new Set(membersOf(lines).flatMap(({ copy }) => (copy === null ? [] : [copy.site])))
  return done({
    today,
    date,
    first_day,
    ...lines,
    closed: closedDays(sites, { first_day, count: boardDays }, openings),
  })
}

/** A copy c, or null where the row has none. */
const copyFacts = sql`
  case when c.id is not null then json_build_object('id', c.id, 'bar_code', c.bar_code, 'site', c.site,
    'site_name', (select s.name from sites s where s.id = c.site), 'status_name', c.status) end`
/** A title r. */
const titleFacts = sql`
  json_build_object('id', r.id, 'name', r.name, 'start_day', (select md.start_day from media md where md.id = r.medium))`

/** Joined with the copy c, which is the one that is kept for somebody, else the one they wish for. */
const reservedCopies = sql`
  reservations v left join copies c on c.id = coalesce(v.set_aside_copy, v.copy_id)`

/** A reservation v by its copy c, or by where it is fetched where it is of no copy. */
const isReservationInSight = (visibility: Visibility) => sql`
  ((v.set_aside_copy is null and v.copy_id is null and ${visibleReservationSites(visibility)})
    or (c.id is not null and c.deleted_at is null and ${visibleCopies(visibility)}))`

/**
 * Copies of which something lasts until the day or begins after it, and titles of which any copy is reserved: what
 * begins or ends on the day first, then what is out on it by its end, then what begins later.
 */
async function findLines(
  db: Db,
  { date, page, first_day }: { date: CalendarDay; page: number; first_day: CalendarDay },
  scope: Scope,
): Promise<Collection<Line>> {
  const { visibility, today, timezone } = scope
  const span = { first_day, last_day: plusDays(first_day, boardDays - 1) }
  const ahead = { ...span, first_day: date }
  const lent = (condition: RawBuilder<unknown>, end: RawBuilder<unknown>) => sql`
    select c.reference, c.id as copy, l.start_date as first_day, ${end} as last_day
    from loanings l join copies c on c.id = l.copy
    where ${visibleCopies(visibility)} and c.deleted_at is null and ${condition}`
  // Of today and later, what came back is of no use any more.
  const back =
    date < today
      ? sql`union all ${lent(wasOut({ first_day: date, last_day: date }, visibility), sql`l.return_date`)}`
      : sql``
  const { rows } = await sql<{ total: number; lines: Line[] }>`
    with held as (
      ${lent(sql`l.status = 'in_progress' and ${isOut(ahead, today)}`, sql`l.end_date`)}
      ${back}
      union all
      select v.reference_id, c.id, ${firstHeld(timezone)}, ${lastHeld(today)}
      from ${reservedCopies}
      where ${isActive} and ${holdsDays(ahead, scope)} and ${isReservationInSight(visibility)}),
    found as materialized (
      select reference, copy,
        min(case when ${date}::date in (first_day, last_day) then 0 when first_day <= ${date}::date then 1 else 2 end) as turn,
        min(case when first_day <= ${date}::date then last_day else first_day end) as next
      from held group by reference, copy),
    shown as (
      select f.reference, f.copy, row_number() over (order by f.turn, f.next, r.sort_name, r.id, f.copy nulls first) as place
      from found f join "references" r on r.id = f.reference
      order by place limit ${boardRows} offset ${(page - 1) * boardRows})
    select (select count(*) from found) as total, (
      select coalesce(json_agg(json_build_object('title', ${titleFacts}, 'copy', ${copyFacts}, 'bars',
        case when c.id is null
          then ${inOrder(reservationsOf(sql`coalesce(v.set_aside_copy, v.copy_id) is null and ${visibleReservationSites(visibility)}`, span, scope))}
          else ${inOrder(sql`${loansOf(span, scope)} union all ${reservationsOf(sql`coalesce(v.set_aside_copy, v.copy_id) = c.id`, span, scope)}`)}
        end) order by p.place), '[]')
      from shown p join "references" r on r.id = p.reference left join copies c on c.id = p.copy) as lines`.execute(
    db,
  )
  return collection(rows[0]?.lines ?? [], rows[0]?.total)
}

/** Of each list of a day. */
const mostMoves = 200

export async function readMoves(
  db: Db,
  { query }: VerbInput<typeof readMovesCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof readMovesCall>>> {
  const { date = exchange.today } = query
  const scope = scopeOf(exchange)
  const { visibility } = scope
  const open = sql`l.status = 'in_progress' and l.deleted_at is null`
  const [departures, returns] = await Promise.all([
    findMoves(db, [
      loanMoves(sql`${open} and l.start_date = ${date}::date`, true, scope),
      loanMoves(sql`${isFinishedInSight(visibility)} and l.start_date = ${date}::date`, true, scope),
      sql`
        select ${titleFacts} as title, ${copyFacts} as copy, row_to_json(bar) as bar, false as is_done, r.sort_name, v.id
        from ${reservedCopies} join "references" r on r.id = v.reference_id join beneficiaries b on b.id = v.beneficiary_id
          cross join lateral (select ${reservationBar(scope)}) bar
        where ${isActive} and v.start_date = ${date}::date and ${isReservationInSight(visibility)}`,
    ]),
    findMoves(db, [
      loanMoves(sql`${open} and l.end_date = ${date}::date`, false, scope),
      loanMoves(sql`${isFinishedInSight(visibility)} and l.return_date = ${date}::date`, true, scope),
    ]),
  ])
  return done({ today: exchange.today, date, departures, returns })
}

const loanMoves = (condition: RawBuilder<unknown>, isDone: boolean, scope: Scope) => sql`
  select ${titleFacts} as title, ${copyFacts} as copy, row_to_json(bar) as bar, ${isDone}::boolean as is_done, r.sort_name, l.id
  from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
    left join beneficiaries b on b.id = l.beneficiary cross join lateral (select ${loanBar(scope)}) bar
  where ${visibleCopies(scope.visibility)} and ${condition}`

/** By title, those that are waited for first. */
async function findMoves(db: Db, parts: readonly RawBuilder<unknown>[]): Promise<Collection<CalendarMove>> {
  const { rows } = await sql<{ total: number; moves: CalendarMove[] }>`
    with moved as materialized (${sql.join(parts, sql` union all `)})
    select (select count(*) from moved) as total, (
      select coalesce(json_agg(json_build_object('title', m.title, 'copy', m.copy, 'bar', m.bar, 'is_done', m.is_done)
        order by m.is_done, m.sort_name, m.id), '[]')
      from (select * from moved order by is_done, sort_name, id limit ${mostMoves}) m) as moves`.execute(db)
  return collection(rows[0]?.moves ?? [], rows[0]?.total)
}

/** Of some days, those on which each of some sites is closed. */
export function closedDays(
  sites: ReadonlySet<number>,
  { first_day, count }: { first_day: CalendarDay; count: number },
  openings: Openings,
): Calendar['closed'] {
  const days = Array.from({ length: count }, (_, at) => plusDays(first_day, at))
  return [...sites].map((site) => {
    const calendar = calendarOf(openings, site)
    return { site, days: days.filter((day) => !isOpen(day, calendar)) }
  })
}

// What stands on a line of the calendar: loans (l) and reservations (v), of copies (c) and titles (r), for readers (b).

export type Scope = { visibility: Visibility; today: CalendarDay; timezone: string }
export type Span = { first_day: CalendarDay; last_day: CalendarDay }

/** Bars as they are told, the earliest first. */
export const inOrder = (bars: RawBuilder<unknown>) => sql`(
  select coalesce(json_agg(bar order by bar.first_day, bar.last_day, bar.id), '[]') from (${bars}) bar)`

/** A loan l of a reader b, who may have been forgotten. */
const loanBar = ({ visibility, today }: Scope) => sql`
  'loan' as kind, l.id,
  case when l.status = 'finished' then 'returned' when l.end_date < ${today}::date then 'overdue' else 'loan' end as state,
  l.start_date as first_day, coalesce(l.return_date, greatest(l.end_date, ${today}::date)) as last_day, l.end_date as due,
  ${mayNameBorrowers(visibility) ? sql`case when ${loanOpen(visibility)} then l.beneficiary end` : sql`null::integer`} as beneficiary,
  case when l.beneficiary is not null then ${namedWhere(mayNameBorrowers(visibility), sql`(${loanOpen(visibility)} and ${readerOpen(visibility)})`)} end as beneficiary_name`

/** A reservation v of a reader b. */
const reservationBar = ({ visibility, today, timezone }: Scope) => sql`
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

const isFinishedInSight = (visibility: Visibility) => sql`
  l.status = 'finished' and l.deleted_at is null and ${loanOpen(visibility)}
  and ${visibility.returnsSince === null ? sql`true` : returnedSince(visibility.returnsSince)}`

const firstHeld = (timezone: string) =>
  sql`case when v.set_aside_copy is null then v.start_date
    else least(v.start_date, (v.set_aside_at at time zone ${timezone})::date) end`
const lastHeld = (today: CalendarDay) => sql`
  case when v.set_aside_copy is null then v.end_date else greatest(v.end_date, v.pickup_until, ${today}::date) end`

/** Days of its own, and those for which a copy is set aside, which lasts until somebody decides; places in a queue hold none. */
export const holdsDays = ({ first_day, last_day }: Span, { today, timezone }: Scope) => sql`
  (v.start_date is not null or v.set_aside_copy is not null)
  and ${firstHeld(timezone)} <= ${last_day}::date and ${lastHeld(today)} >= ${first_day}::date`
