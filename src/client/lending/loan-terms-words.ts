import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import { durationWords } from '../../domain/loan-rules.ts'
import type { LoanTerms } from './basket.ts'

/** As much of a comment as recalls it. */
const longestRecalled = 40

/** A loan's terms in one line: « À partir d’aujourd’hui, durées des supports », and what else was chosen. */
export function termsWords(
  { start_date, duration, comment, free }: LoanTerms,
  today: CalendarDay,
  free_reason: string | null,
): string {
  const isToday = start_date === null || start_date === today
  const note = comment.trim().replaceAll(/\s+/g, ' ')
  const shown = note.length > longestRecalled ? `${note.slice(0, longestRecalled).trimEnd()}…` : note
  return [
    isToday ? 'À partir d’aujourd’hui' : `À partir du ${frenchDay(start_date)}`,
    duration === null ? 'durées des supports' : `pour ${durationWords(duration)}`,
    ...(free ? [free_reason === null ? 'gratuit' : `gratuit (${free_reason})`] : []),
    ...(note === '' ? [] : [`commentaire «\u00a0${shown}\u00a0»`]),
  ].join(', ')
}
