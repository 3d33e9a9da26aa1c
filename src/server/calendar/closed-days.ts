import type { Calendar } from '../../contract/calendar.ts'
import { type CalendarDay, plusDays } from '../../domain/calendar-day.ts'
import { calendarOf, isOpen, type Openings } from '../../domain/open-days.ts'

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
