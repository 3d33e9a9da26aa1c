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

/** « demain », « samedi », « le 24/12 », « du 24 décembre au 2 janvier »; null where these are no days, or the last is before the first. */
export function daysTyped(text: string, today: CalendarDay): Days | null {
  const [, from, to] = /^\s*du\s+(\S.*?)\s+(?:jusqu[’']au|au|à)\s+(\S.*)$/i.exec(text) ?? []
  const first = dayTyped(from ?? text, today)
  if (first === null) return null
  const last = to === undefined ? first : dayTyped(to, first)
  return last === null || last < first ? null : { first, last }
}

const ahead = new Map([
  ['aujourd hui', 0],
  ['demain', 1],
  ['apres demain', 2],
])

/** The first such day that comes; « samedi » said on a Saturday is the next one. */
function dayTyped(text: string, today: CalendarDay): CalendarDay | null {
  const said = text.trim().replace(/^(?:le|ce)\s+/i, '')
  const word = comparableName(said).replace(/ (?:prochain|qui vient)$/, '')
  const days = ahead.get(word)
  if (days !== undefined) return plusDays(today, days)
  const weekday = weekdays.findIndex((name) => name === word) + 1
  if (weekday > 0) return plusDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1)
  const date = said.replace(/^\p{L}+\s+(?=\d)/u, (name) => (isWeekday(name) ? '' : name))
  return readDay(date) ?? comingDay(date, today)
}

const isWeekday = (word: string): boolean => weekdays.some((name) => name === comparableName(word))

/** A day whose month or year goes without saying. */
function comingDay(date: string, today: CalendarDay): CalendarDay | null {
  const [, alone] = /^(\d{1,2})(?:er)?$/.exec(date) ?? []
  const between = /^\d{1,2}([/.-])\d{1,2}$/.exec(date)?.[1] ?? ' '
  const month = `${today.slice(0, 7)}-01`
  const likely =
    alone === undefined
      ? // A 29 February comes in eight years at the latest.
        Array.from({ length: 9 }, (_, year) =>
          readDay(`${date}${between}${Number(today.slice(0, 4)) + year}`),
        )
      : Array.from({ length: 3 }, (_, at) => `${plusMonths(month, at).slice(0, 8)}${alone.padStart(2, '0')}`)
  return likely.find((day) => day !== null && isCalendarDay(day) && day >= today) ?? null
}
