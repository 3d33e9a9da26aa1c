import { type RawBuilder, sql } from 'kysely'

import {
  type Calendar,
  type CalendarBlock,
  readBoard as readBoardCall,
  readCalendar as readCalendarCall,
  readMoves as readMovesCall,
} from '../../contract/calendar.ts'
import { collection } from '../../contract/list.ts'
import { findIsbn13, writtenForms } from '../../domain/bar-code.ts'
import { type CalendarDay, plusDays } from '../../domain/calendar-day.ts'
import {
  type CalendarSearch,
  daysShown,
  firstDayShown,
  isEnough,
  mostReferences,
} from '../../domain/calendar-weeks.ts'
import type { Db } from '../db/handles.ts'
import { everyWord } from '../db/lists/list-sql.ts'
import { longRead, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, refuse } from '../http/outcome.ts'
import { isActive } from '../library-facts/active-reservation.ts'
import { titlesMatching } from '../library-facts/title-search.ts'
import { type Visibility, visibleCopies, visibleReservationSites } from '../visibility/visibility.ts'
import {
  closedDays,
  holdsDays,
  inOrder,
  isOut,
  loansOf,
  readBoard,
  readMoves,
  reservationsOf,
  type Scope,
  type Span,
  wasOut,
} from './read-board.ts'

/** Fifty references at most, by title, with the days of each of their copies in sight for twelve weeks. */
async function readCalendar(
  db: Db,
  { query }: VerbInput<typeof readCalendarCall>,
  { visibility, today, parameters, openings }: Exchange,
): Promise<Outcome<Calendar>> {
  if (!isEnough(query)) {
    return refuse({
      status: 400,
      message:
        'La recherche demande plus de 2 caractères de la référence, plus de 1 de la catégorie, un code-barres ou une date.',
    })
  }
  const { date = today, weeks = 0 } = query
  const first_day = firstDayShown(date, Number(parameters.get('calendar_week_day')), weeks)
  const found = await findBlocks(
    db,
    query,
    { first_day, last_day: plusDays(first_day, daysShown - 1) },
    { visibility, today, timezone: parameters.get('timezone') },
  )
  const shown = found.slice(0, mostReferences)
  const sites = new Set(shown.flatMap(({ copies }) => copies.map(({ site }) => site)))

  return done({
    today,
    first_day,
    is_cut: found.length > mostReferences,
    ...collection(shown),
    closed: closedDays(sites, { first_day, count: daysShown }, openings),
  })
}

/** Copies that are lent; those for sale have no days. */
const linesOf = (visibility: Visibility, reference: RawBuilder<unknown>) => sql`copies c
  where c.reference = ${reference} and c.deleted_at is null and c.type = 'Location' and ${visibleCopies(visibility)}`

/**
 * References by title with their copies and the days of each, in one statement; one reference more than are told
 * says that there are more.
 */
async function findBlocks(
  db: Db,
  search: CalendarSearch,
  span: Span,
  scope: Scope,
): Promise<CalendarBlock[]> {
  const { visibility } = scope
  const { rows } = await sql<CalendarBlock>`
    with matched as materialized (
      select r.id, r.sort_name from "references" r
      where r.deleted_at is null and ${sql.join(conditionsOf(search, scope), sql` and `)}),
    found as materialized (
      select m.id from (select id, sort_name from matched order by sort_name, id) m
      where exists (select from ${linesOf(visibility, sql`m.id`)}) order by m.sort_name, m.id limit ${mostReferences + 1})
    select r.id, r.name, (select cat.name from categories cat where cat.id = r.category) as category,
      md.name as medium, md.start_day,
      (select count(*) from reservations v where v.reference_id = r.id and v.queue_position is not null) as waiting,
      ${inOrder(reservationsOf(sql`coalesce(v.set_aside_copy, v.copy_id) is null and ${visibleReservationSites(visibility)}`, span, scope))} as bars,
      (select json_agg(json_build_object('id', c.id, 'bar_code', c.bar_code, 'site', c.site,
          'site_name', (select s.name from sites s where s.id = c.site), 'status_name', c.status, 'bars',
          ${inOrder(sql`${loansOf(span, scope)} union all ${reservationsOf(sql`coalesce(v.set_aside_copy, v.copy_id) = c.id`, span, scope)}`)}
        ) order by c.bar_code)
        from ${linesOf(visibility, sql`r.id`)}) as copies
    from "references" r left join media md on md.id = r.medium
    where r.id = any(array(select id from found))
    order by r.sort_name, r.id`.execute(db)
  return rows
}

function conditionsOf(
  { reference = '', category = '', bar_code = '', date = '' }: CalendarSearch,
  scope: Scope,
): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = []
  if (reference !== '') conditions.push(titlesMatching(sql`r.search`, reference))
  if (category !== '') {
    conditions.push(sql`r.category in (
      select cat.id from categories cat where cat.deleted_at is null and ${everyWord(sql`search_text(cat.name)`, category)})`)
  }
  if (bar_code !== '') {
    const isbn = findIsbn13(bar_code)
    const forms = [...writtenForms(bar_code), ...(isbn === null ? [] : [isbn])]
    conditions.push(sql`r.id in (
      select c.reference from copies c
      where c.bar_code = any(${forms}) and c.deleted_at is null and ${visibleCopies(scope.visibility)}
      union all select coded.id from "references" coded where coded.code = any(${forms}))`)
  }
  return conditions.length > 0 ? conditions : [sql`r.id in (${occupiedOn(date, scope)})`]
}

/** References of which a copy in sight is out on a day, or which are reserved on it. */
const occupiedOn = (day: CalendarDay, scope: Scope) => {
  const { visibility, today } = scope
  const on = { first_day: day, last_day: day }
  return sql`
    select c.reference from loanings l join copies c on c.id = l.copy
    where ${visibleCopies(visibility)} and l.status = 'in_progress' and ${isOut(on, today)}
    union all
    select c.reference from loanings l join copies c on c.id = l.copy
    where ${visibleCopies(visibility)} and ${wasOut(on, visibility)}
    union all
    select v.reference_id from reservations v
    where ${isActive} and ${holdsDays(on, scope)} and ${visibleReservationSites(visibility)}`
}

export const calendarRoutes = [
  longRead(readCalendarCall, readCalendar),
  longRead(readBoardCall, readBoard),
  longRead(readMovesCall, readMoves),
]
