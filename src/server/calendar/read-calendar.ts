import type { Calendar, readCalendar as readCalendarCall } from '../../contract/calendar.ts'
import { plusDays } from '../../domain/calendar-day.ts'
import { daysShown, firstDayShown, isEnough, mostReferences } from '../../domain/calendar-weeks.ts'
import { calendarOf, isOpen } from '../../domain/open-days.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, refuse } from '../http/outcome.ts'
import { findBlocks } from './calendar-queries.ts'

/** Fifty references at most, by title, with the days of each of their copies in sight for twelve weeks. */
export async function readCalendar(
  db: Db,
  { query }: VerbInput<typeof readCalendarCall>,
  { sight, today, parameters, openings }: Exchange,
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
  const days = Array.from({ length: daysShown }, (_, at) => plusDays(first_day, at))
  const found = await findBlocks(
    db,
    query,
    { first_day, last_day: plusDays(first_day, daysShown - 1) },
    { sight, today, timezone: parameters.get('timezone') },
  )
  const shown = found.slice(0, mostReferences)
  const sites = new Set(shown.flatMap(({ copies }) => copies.map(({ site }) => site)))

  return done({
    today,
    first_day,
    is_cut: found.length > mostReferences,
    'hydra:member': shown,
    'hydra:totalItems': shown.length,
    closed: [...sites].map((site) => {
      const calendar = calendarOf(openings, site)
      return { site, days: days.filter((day) => !isOpen(day, calendar)) }
    }),
  })
}
