import { type CalendarDay, daysBetween, isCalendarDay, plusDays, plusMonths } from './calendar-day.ts'

/** The first and the last day count. */
export type Period = { start_date: CalendarDay; end_date: CalendarDay }

/** What statistics open with; the 31st of a shorter month is its last day. */
export const monthOf = (day: CalendarDay): Period => {
  const start_date = `${day.slice(0, 7)}-01`
  return { start_date, end_date: plusDays(plusMonths(start_date, 1), -1) }
}

/** One day alone is taken with the other end of its month; none, with the month of today. */
export const periodOf = (
  first: CalendarDay | undefined,
  last: CalendarDay | undefined,
  today: CalendarDay,
): Period => ({
  start_date: first ?? monthOf(last ?? today).start_date,
  end_date: last ?? monthOf(first ?? today).end_date,
})

const longestYears = 10

/** What is wrong with a period, said at its last day. */
export function periodFault({ start_date, end_date }: Period): string | null {
  if (end_date < start_date) return 'La date de fin ne doit pas précéder la date de début.'
  if (daysBetween(start_date, end_date) > longestYears * 366)
    return `La période ne doit pas dépasser ${longestYears} ans.`
  // What it is compared with is told too, and a day of three figures is none.
  return isCalendarDay(periodBefore({ start_date, end_date }).start_date)
    ? null
    : 'La période est trop ancienne.'
}

/**
 * What a period is compared with. Of one that is not over, as much of the one before as has passed of it: ten days of
 * March are told beside ten of February.
 */
export function comparedPeriod(period: Period, today: CalendarDay): Period {
  const before = periodBefore(period)
  if (today < period.start_date || today >= period.end_date) return before
  const end_date = plusDays(before.start_date, daysBetween(period.start_date, today))
  return end_date < before.end_date ? { ...before, end_date } : before
}

/** As many whole months before whole months, so that March is compared with February; else as many days. */
export function periodBefore({ start_date, end_date }: Period): Period {
  const after = plusDays(end_date, 1)
  const end = plusDays(start_date, -1)
  if (start_date.endsWith('-01') && after.endsWith('-01')) {
    return { start_date: plusMonths(start_date, monthIndex(start_date) - monthIndex(after)), end_date: end }
  }
  return { start_date: plusDays(start_date, -daysBetween(start_date, after)), end_date: end }
}

const monthIndex = (day: CalendarDay) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))

/** What a period grew by in percent of the one before; null where nothing was before. */
export const growthOf = ({ now, before }: { now: number; before: number }): number | null =>
  before === 0 ? null : ((now - before) / before) * 100

/** The whole months of a period, by their first days, and the days before and after them; each may be none. */
export function monthsWithin({ start_date, end_date }: Period): { months: Period | null; days: Period[] } {
  const first = start_date.endsWith('-01') ? start_date : plusMonths(`${start_date.slice(0, 7)}-01`, 1)
  const after = plusDays(end_date, 1)
  const end = `${after.slice(0, 7)}-01`
  if (first >= end) return { months: null, days: [{ start_date, end_date }] }
  const days = [
    { start_date, end_date: plusDays(first, -1) },
    { start_date: end, end_date },
  ]
  return {
    months: { start_date: first, end_date: plusMonths(end, -1) },
    days: days.filter((some) => some.start_date <= some.end_date),
  }
}
