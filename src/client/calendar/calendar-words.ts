import type { CalendarBar } from '../../contract/calendar.ts'
import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import { calendarStates } from '../../domain/calendar-weeks.ts'

export const daysInWords = (first: CalendarDay, last: CalendarDay): string =>
  first === last ? `le ${frenchDay(first)}` : `du ${frenchDay(first)} au ${frenchDay(last)}`

/** Without the number after it, which a bar has no room for. */
export const shortName = (name: string): string => name.replace(/ \([^()]*\)$/, '')

/** « Prêté à Alice Martin (M1), du 01/03/2026 au 22/03/2026 ». */
export function barInWords({ state, first_day, last_day, due, beneficiary_name }: CalendarBar): string {
  const who = beneficiary_name === null ? '' : `${linking[state]} ${beneficiary_name}`
  const days = daysInWords(first_day, last_day)
  const late = state === 'overdue' && due !== null ? `, attendu le ${frenchDay(due)}` : ''
  return `${calendarStates[state]}${who}, ${days}${late}`
}

const linking = { returned: ' par', reservation: ' pour', loan: ' à', overdue: ',' } as const

const letter = new Intl.DateTimeFormat('fr-FR', { weekday: 'narrow', timeZone: 'UTC' })
const whole = new Intl.DateTimeFormat('fr-FR', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const instantOf = (day: CalendarDay): Date => new Date(`${day}T00:00:00Z`)

/** « M » of a Tuesday. */
export const letterOfDay = (day: CalendarDay): string => letter.format(instantOf(day))

/** « mardi 10 mars 2026 ». */
export const wholeDay = (day: CalendarDay): string => whole.format(instantOf(day))
