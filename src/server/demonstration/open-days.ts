import { type CalendarDay, plusDays, weekdayOf } from '../../domain/calendar-day.ts'

/** Open from Tuesday to Saturday, as most libraries are. */
const isOpen = (day: CalendarDay) => weekdayOf(day) >= 2 && weekdayOf(day) <= 6

export const openDaysPerWeek = 5

/**
 * Days on which the library is open, by their rank: 0 is the last one before `today`, 1 the next (today, when it is open), -1 the
 * one before. Loans are invented in ranks, so that the library is the same whatever day it is made on.
 */
export function openDays(today: CalendarDay, first: number, last: number): (rank: number) => CalendarDay {
  const days = new Map<number, CalendarDay>()
  for (let rank = 0, day = plusDays(today, -1); rank >= first; day = plusDays(day, -1)) {
    if (isOpen(day)) days.set(rank--, day)
  }
  for (let rank = 1, day = today; rank <= last; day = plusDays(day, 1)) {
    if (isOpen(day)) days.set(rank++, day)
  }
  return (rank) => {
    const day = days.get(rank)
    if (day === undefined) throw new Error(`no open day of rank ${rank}`)
    return day
  }
}
