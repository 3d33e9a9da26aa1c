import { addDays, addMonths, addWeeks, differenceInCalendarDays, formatISO, getISODay } from 'date-fns'

/** `YYYY-MM-DD` in the library: never an instant, without hour or time zone. */
export type CalendarDay = string

/** The calendar day that an instant falls on in a time zone (IANA name, e.g. `Europe/Paris`). */
export function calendarDayOf(instant: Date, timeZone: string): CalendarDay {
  const quarter = Math.floor(instant.getTime() / quarterMs)
  const last = lastDays.get(timeZone)
  if (last?.quarter === quarter) return last.day
  const day = formatIn(timeZone).format(instant)
  lastDays.set(timeZone, { quarter, day })
  return day
}

// Asked for at each call: wherever one lives, a day begins with a quarter of an hour.
const quarterMs = 15 * 60_000
const lastDays = new Map<string, { quarter: number; day: CalendarDay }>()

// Making a formatter costs a hundred times what using it does.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  // sv-SE writes days as ISO does.
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone })
  formats.set(timeZone, format)
  return format
}

/** Its first moment here, whatever this machine's zone: only days are read off it again. */
const dateOf = (day: CalendarDay): Date => new Date(`${day}T00:00:00`)
const dayOf = (date: Date): CalendarDay => formatISO(date, { representation: 'date' })

export const plusDays = (day: CalendarDay, count: number): CalendarDay => dayOf(addDays(dateOf(day), count))

export const plusWeeks = (day: CalendarDay, count: number): CalendarDay => dayOf(addWeeks(dateOf(day), count))

/** Keeps the day of the month, or takes its last: 31 January plus one month is 28 February. */
export const plusMonths = (day: CalendarDay, count: number): CalendarDay =>
  dayOf(addMonths(dateOf(day), count))

/** Negative when `to` is earlier. */
export const daysBetween = (from: CalendarDay, to: CalendarDay): number =>
  differenceInCalendarDays(dateOf(to), dateOf(from))

/** Monday 1 to Sunday 7, as the specification counts them. */
export const weekdayOf = (day: CalendarDay): number => getISODay(dateOf(day))

/** Refuses days that do not exist (`2026-02-30`), years before 1000, and those so late that a day counted from them has five figures. */
export function isCalendarDay(text: string): boolean {
  if (!/^(?:[1-8]\d|9[0-8])\d\d-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}

/** Of two digits a year is the last one up to `last`. */
export const fullYear = (year: string, last: number): string =>
  year.length > 2 ? year : String(last - ((last - Number(year)) % 100))

/** A year 0001 stands for no day at all. */
export const isNoDay = (text: string): boolean => /^0001-\d\d-\d\d$/.test(text)

/** Without its year where it is the same as that of `beside`. */
export const frenchDay = (day: CalendarDay, beside?: CalendarDay): string => {
  const parts = day.split('-')
  return (parts[0] === beside?.slice(0, 4) ? parts.slice(1) : parts).reverse().join('/')
}

/** In the order of their numbers, from Monday 1 to Sunday 7. */
export const weekdays = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const
