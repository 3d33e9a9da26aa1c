import type { CalendarDay } from './calendar-day.ts'

/** Of which year the public holidays are to be thought of: the next one from November, this one in January; else of none. */
export function yearOfHolidays(today: CalendarDay): number | null {
  const [year, month] = [Number(today.slice(0, 4)), today.slice(5, 7)]
  if (month === '01') return year
  return month >= '11' ? year + 1 : null
}
