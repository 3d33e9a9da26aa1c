import { type CalendarDay, plusMonths } from './calendar-day.ts'

/** How long a title is shown as new: not at all, as it is, or so many months. */
export const newDurations = ['none', 'same', '1', '3', '6', '12'] as const
export type NewDuration = (typeof newDurations)[number]

/** The last day as a novelty; `before` is the one that it has. */
export function newUntil(
  duration: NewDuration,
  { today, before }: { today: CalendarDay; before: CalendarDay | null },
): CalendarDay | null {
  if (duration === 'none') return null
  return duration === 'same' ? before : plusMonths(today, Number(duration))
}
