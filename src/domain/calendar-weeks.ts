import { type CalendarDay, daysBetween, plusDays, weekdayOf } from './calendar-day.ts'

export const weeksShown = 12
export const weeksBefore = 2
export const mostReferences = 50

export const daysShown = weeksShown * 7

/** The board: four weeks of days, of which two are before its own, and as many copies as a page has. */
export const boardDays = 28
export const boardDaysBefore = 2
export const boardRows = 40

/** What a day of a copy is, in the words of the legend. */
export const calendarStates = {
  free: 'Libre',
  returned: 'Rendu',
  reservation: 'Réservé',
  loan: 'Prêté',
  overdue: 'En retard',
} as const
export type CalendarState = keyof typeof calendarStates

/** The day on which the week of a day begins; `weekday` counts Monday 1 to Sunday 7. */
const weekStart = (day: CalendarDay, weekday: number): CalendarDay =>
  plusDays(day, -((weekdayOf(day) - weekday + 7) % 7))

/** Two weeks before the week of a day, or so many weeks later (earlier where negative). */
export const firstDayShown = (around: CalendarDay, weekday: number, weeks: number): CalendarDay =>
  plusDays(weekStart(around, weekday), (weeks - weeksBefore) * 7)

/** How many weeks from what is shown to the weeks around a day. */
export const weeksTo = (first_day: CalendarDay, around: CalendarDay): number =>
  daysBetween(first_day, firstDayShown(around, weekdayOf(first_day), 0)) / 7

export type CalendarSearch = {
  reference?: string | undefined
  category?: string | undefined
  bar_code?: string | undefined
  date?: string | undefined
}

/** Whether there is enough to search by. */
export const isEnough = ({ reference = '', category = '', bar_code = '', date = '' }: CalendarSearch) =>
  reference.trim().length > 2 || category.trim().length > 1 || bar_code.trim() !== '' || date !== ''
