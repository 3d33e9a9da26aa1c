import { type CalendarDay, plusDays, weekdayOf } from '../../domain/calendar-day.ts'

export const isOpen = (weekday: number): boolean => weekday >= 2 && weekday <= 6

export const openDaysPerWeek = 5

/** Open days by rank, 0 being the last before `today`: loans are invented in ranks, the same on any day. */
export function openDays(today: CalendarDay, first: number, last: number): (rank: number) => CalendarDay {
  const days = new Map<number, CalendarDay>()
  for (let rank = 0, day = plusDays(today, -1); rank >= first; day = plusDays(day, -1)) {
    if (isOpen(weekdayOf(day))) days.set(rank--, day)
  }
  for (let rank = 1, day = today; rank <= last; day = plusDays(day, 1)) {
    if (isOpen(weekdayOf(day))) days.set(rank++, day)
  }
  return (rank) => {
    const day = days.get(rank)
    if (day === undefined) throw new Error(`no open day of rank ${rank}`)
    return day
  }
}
