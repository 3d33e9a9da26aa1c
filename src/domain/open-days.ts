import { type CalendarDay, daysBetween, frenchDay, plusDays, weekdayOf } from './calendar-day.ts'

/** Both days are closed. */
export type ClosedDays = { first_day: CalendarDay; last_day: CalendarDay }

/** When one site is open: its weekdays (Monday 1 to Sunday 7), less its closures. */
export type OpenCalendar = { weekdays: readonly number[]; closures: readonly ClosedDays[] }

const everyWeekday: readonly number[] = [1, 2, 3, 4, 5, 6, 7]
export const alwaysOpen: OpenCalendar = { weekdays: everyWeekday, closures: [] }

/** Those of every site: a closure without a site closes all of them. */
export type Openings = {
  weeks: readonly { site: number; weekdays: number[] }[]
  closures: readonly (ClosedDays & { site: number | null })[]
}

export const noOpenings: Openings = { weeks: [], closures: [] }

/** A site that is not known is as open as all of them are. */
export const calendarOf = ({ weeks, closures }: Openings, site: number | null): OpenCalendar => ({
  weekdays: weeks.find((week) => week.site === site)?.weekdays ?? everyWeekday,
  closures: closures.filter((closure) => closure.site === null || closure.site === site),
})

/** The longest closure, and the furthest that an open day is looked for. */
const longestClosureDays = 366

/** Null where these days may be closed at once; else what is wrong with the last one. */
export function whyNoClosure({ first_day, last_day }: ClosedDays): string | null {
  if (last_day < first_day) return 'Le dernier jour est avant le premier.'
  const furthest = plusDays(first_day, longestClosureDays - 1)
  return last_day > furthest
    ? `Une fermeture dure au plus ${longestClosureDays} jours\u202f: dernier jour au plus tard le ${frenchDay(furthest)}.`
    : null
}

const closes = (day: CalendarDay) => (closed: ClosedDays) => closed.first_day <= day && day <= closed.last_day

export const isOpen = (day: CalendarDay, { weekdays, closures }: OpenCalendar): boolean =>
  (weekdays.length === 7 || weekdays.includes(weekdayOf(day))) && !closures.some(closes(day))

/** The day itself where it is open, and where nothing is for a year. */
export function nextOpenDay(day: CalendarDay, calendar: OpenCalendar): CalendarDay {
  const furthest = plusDays(day, longestClosureDays)
  let next = day
  while (next <= furthest) {
    const closed = calendar.closures.find(closes(next))
    if (!closed && isOpen(next, calendar)) return next
    next = plusDays(closed?.last_day ?? next, 1)
  }
  return day
}

/** Open days after `from` up to `to`; 0 where it is not later. */
export function openDaysBetween(
  from: CalendarDay,
  to: CalendarDay,
  { weekdays, closures }: OpenCalendar,
): number {
  if (to <= from) return 0
  let open = weekdaysBetween(from, to, weekdays)
  // Closures may overlap: each closes what comes after those before it.
  let until = from
  for (const { first_day, last_day } of closures.toSorted((a, b) => a.first_day.localeCompare(b.first_day))) {
    const before = plusDays(first_day, -1)
    const after = before > until ? before : until
    const last = last_day < to ? last_day : to
    if (last <= after) continue
    open -= weekdaysBetween(after, last, weekdays)
    until = last
  }
  return open
}

/** How many days after `from` up to `to` fall on these weekdays. */
function weekdaysBetween(from: CalendarDay, to: CalendarDay, weekdays: readonly number[]): number {
  const days = daysBetween(from, to)
  if (weekdays.length === 7) return days
  const over = days % 7
  const first = weekdayOf(from)
  const inRest = weekdays.filter((weekday) => (weekday - first + 6) % 7 < over)
  return Math.floor(days / 7) * weekdays.length + inRest.length
}

/** The open day by which `count` of them have passed, such as a shelf's deadline. */
export function plusOpenDays(day: CalendarDay, count: number, calendar: OpenCalendar): CalendarDay {
  let reached = day
  for (let passed = 0; passed < count; passed += 1) {
    reached = nextOpenDay(plusDays(reached, 1), calendar)
  }
  return reached
}
