import {
  type CalendarDay,
  frenchDay,
  isCalendarDay,
  plusDays,
  plusMonths,
  weekdayOf,
  weekdays,
} from './calendar-day.ts'
import { comparableName } from './comparable-name.ts'
import { readDay } from './read-day.ts'

// Days as somebody says them to whoever sits beside them.

/** From the first day to the last, which may be the same. */
export type Days = { first: CalendarDay; last: CalendarDay }

/** « samedi 14/03/2026 ». */
export const namedDay = (day: CalendarDay): string => `${weekdays[weekdayOf(day) - 1]} ${frenchDay(day)}`

/** « samedi 14/03/2026 », « du samedi 14/03/2026 au lundi 16/03/2026 ». */
export const namedDays = ({ first, last }: Days): string =>
  first === last ? namedDay(first) : `du ${namedDay(first)} au ${namedDay(last)}`

/**
 * « demain », « samedi », « le 24/12 », « du 24 au 26 décembre »; null where these are no days, the last is before the
 * first, or a day has another name than its date.
 */
export function daysTyped(text: string, today: CalendarDay): Days | null {
  const [, from = text, to] = /^\s*du\s+(\S.*?)\s+(?:jusqu[’']au|au|à)\s+(\S.*)$/i.exec(text) ?? []
  if (to === undefined || saidOf(from) >= saidOf(to)) {
    const first = dayTyped(from, today)
    const last = first === null || to === undefined ? first : dayTyped(to, first)
    return first === null || last === null || last < first ? null : { first, last }
  }
  // What the first day leaves unsaid, the last one says: « du 3 au 7 janvier » begins in January.
  const last = dayTyped(to, today)
  const first = last && dayUpTo(from, last)
  return first === null || last === null ? null : { first, last }
}

/** How much of a day is said: its number alone, its month too, or all of it. */
function saidOf(text: string): number {
  const said = withoutArticle(text).replace(/^\p{L}+\s+(?=\d)/u, '')
  return /^\d{1,2}(?:er)?$/.test(said) ? 0 : /^\d/.test(said) && readDay(said) === null ? 1 : 2
}

/** The last day of that number, or of that number and month, that is not after the other. */
function dayUpTo(text: string, last: CalendarDay): CalendarDay | null {
  const said = withoutArticle(text)
  const [, alone] = /^(\d{1,2})(?:er)?$/.exec(said) ?? []
  const likely = [0, 1].map((back) =>
    alone === undefined
      ? dayTyped(`${said}${betweenIn(said)}${Number(last.slice(0, 4)) - back}`, last)
      : `${plusMonths(`${last.slice(0, 7)}-01`, -back).slice(0, 8)}${alone.padStart(2, '0')}`,
  )
  return likely.find((day) => day !== null && isCalendarDay(day) && day <= last) ?? null
}

const withoutArticle = (text: string): string => text.trim().replace(/^(?:le|ce)\s+/i, '')

/** What parts the month from a year that is not said. */
const betweenIn = (date: string): string => /\d{1,2}([/.-])\d{1,2}$/.exec(date)?.[1] ?? ' '

const ahead = new Map([
  ['aujourd hui', 0],
  ['demain', 1],
  ['apres demain', 2],
])

/** The first such day that comes; « samedi » said on a Saturday is the next one. */
function dayTyped(text: string, today: CalendarDay): CalendarDay | null {
  const said = withoutArticle(text)
  const word = comparableName(said).replace(/ (?:prochain|qui vient)$/, '')
  const days = ahead.get(word)
  if (days !== undefined) return plusDays(today, days)
  const weekday = weekdays.findIndex((name) => name === word) + 1
  if (weekday > 0) return plusDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1)
  const [, name = '', date = said] = /^(\p{L}+)\s+(\d.*)$/u.exec(said) ?? []
  const day = readDay(date) ?? comingDay(date, today)
  return day === null || name === '' || comparableName(name) === weekdays[weekdayOf(day) - 1] ? day : null
}

/** A day whose month or year goes without saying. */
function comingDay(date: string, today: CalendarDay): CalendarDay | null {
  const [, alone] = /^(\d{1,2})(?:er)?$/.exec(date) ?? []
  const month = `${today.slice(0, 7)}-01`
  const likely =
    alone === undefined
      ? // A 29 February comes in eight years at the latest.
        Array.from({ length: 9 }, (_, year) =>
          readDay(`${date}${betweenIn(date)}${Number(today.slice(0, 4)) + year}`),
        )
      : Array.from({ length: 3 }, (_, at) => `${plusMonths(month, at).slice(0, 8)}${alone.padStart(2, '0')}`)
  return likely.find((day) => day !== null && isCalendarDay(day) && day >= today) ?? null
}
