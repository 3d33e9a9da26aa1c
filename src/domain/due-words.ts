import { type CalendarDay, frenchDay, plusDays, weekdays } from './calendar-day.ts'
import { type DueSteps, type Duration, durationWords } from './loan-rules.ts'

/** Why a return is due on its day: « 21 jours, puis fermé du 24 au 28, le 29 »; null where it is only counted. */
export function explainDue(
  { counted, wanted, due }: DueSteps,
  duration: Duration,
  end_day: number | null,
): string | null {
  if (due === counted) return null
  const last = plusDays(due, -1)
  const told = dayWords([wanted, due])
  const weekday = end_day === null ? undefined : weekdays[end_day - 1]
  return [
    durationWords(duration),
    ...(wanted === counted ? [] : [`puis au ${weekday} ${told(wanted)}`]),
    ...(due === wanted
      ? []
      : [
          wanted === last
            ? `puis fermé le ${told(wanted)}`
            : `puis fermé du ${told(wanted)} au ${told(last)}`,
          `le ${told(due)}`,
        ]),
  ].join(', ')
}

/** The day alone where these days are of one month: « 24 », « 1er », else « 24/12 ». */
function dayWords(days: readonly CalendarDay[]): (day: CalendarDay) => string {
  const isOneMonth = new Set(days.map((day) => day.slice(0, 7))).size === 1
  return (day) => {
    const [, month, ofMonth] = day.split('-')
    if (!isOneMonth) return `${ofMonth}/${month}`
    return ofMonth === '01' ? '1er' : String(Number(ofMonth))
  }
}

/** That a medium is lent from a weekday on, said where a loan begins on another; it postpones nothing. */
export const startDayNote = (start_day: number | null, weekday: number): string | null =>
  start_day === null || start_day === weekday
    ? null
    : `Ce support se prête d’habitude le ${weekdays[start_day - 1]}.`

/** « retour prévu le 31/03/2026 », with other words around if need be; the device alone may not know the day. */
export const dueWords = (
  { end_date }: { end_date: CalendarDay | null },
  before = 'retour prévu le',
  unknown = 'retour à vérifier',
): string => (end_date === null ? unknown : `${before} ${frenchDay(end_date)}`.trim())
