import { type CalendarDay, fullYear, isCalendarDay } from './calendar-day.ts'
import { comparableName } from './comparable-name.ts'

const months = 'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre'.split(
  ' ',
)

/** In signs: what is longer is a text, and looking for a day in it would take time. */
const longestDay = 60

/**
 * 31/12/2026, 31/12/26, 2026-12-31 (with or without an hour), 20261231, 31.12.2026, 31 décembre 2026, 31-déc-26, or the number
 * that Excel has of it. Of two digits a year is the last one up to `lastYear`: without it of this century.
 */
export function readDay(text: string, lastYear = 2099): CalendarDay | null {
  const trimmed = text.trim()
  if (trimmed.length > longestDay) return null
  const written = trimmed.replace(/[T ]\d{1,2}[:h]\d{2}.*$/, '')
  // « 26-12-31 » is another day to whoever writes the year first.
  const [, d, m, y] =
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(written) ??
    /^(\d{1,2})[/.](\d{1,2})[/.](\d{2})$/.exec(written) ??
    []
  if (d !== undefined) return dayOf(fullYear(y!, lastYear), m!, d)
  const [, year, month, date] =
    /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})$/.exec(written) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(written) ?? []
  if (year !== undefined) return dayOf(year, month!, date!)
  const words = /^(?:\p{L}+ )?(\d{1,2})(?:er)? (\p{L}+) (\d{4}|\d{2})$/u.exec(comparableName(written))
  if (words) return dayOf(fullYear(words[3]!, lastYear), monthOf(words[2]!), words[1]!)
  return isSerialDay(written) ? dayOfSerial(Number(written)) : null
}

/** From May 1927 to 2091, as Excel counts days. */
export const isSerialDay = (text: string): boolean => /^[1-6]\d{4}$/.test(text.trim())

const dayOfSerial = (serial: number): CalendarDay =>
  new Date(Date.UTC(1899, 11, 30) + serial * 86_400_000).toISOString().slice(0, 10)

/** By its first letters too, where they are those of no other. */
function monthOf(word: string): string {
  const found = word.length < 3 ? [] : months.filter((month) => month.startsWith(word))
  return found.length === 1 ? String(months.indexOf(found[0]!) + 1) : ''
}

function dayOf(year: string, month: string, date: string): CalendarDay | null {
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  return isCalendarDay(day) ? day : null
}
