import type { CalendarDay } from '../../domain/calendar-day.ts'
import { plusMonths } from '../../domain/calendar-day.ts'
import { monthOf, type Period } from '../../domain/stat-periods.ts'

/** The months of a period, each with the days of it that count. */
export function monthsOf({ start_date, end_date }: Period): readonly (Period & { month: string })[] {
  const months: (Period & { month: string })[] = []
  for (let day = monthOf(start_date).start_date; day <= end_date; day = plusMonths(day, 1)) {
    const month = monthOf(day)
    months.push({
      month: day.slice(0, 7),
      start_date: laterOf(month.start_date, start_date),
      end_date: month.end_date < end_date ? month.end_date : end_date,
    })
  }
  return months
}

const laterOf = (one: CalendarDay, other: CalendarDay) => (one > other ? one : other)
