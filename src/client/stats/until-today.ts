import type { CalendarDay } from '../../domain/calendar-day.ts'

/** Days or months that have begun; of those to come, only as far as something is counted there already. */
export const untilToday = <Span>(
  spans: readonly Span[],
  today: CalendarDay,
  told: (span: Span) => { start: CalendarDay; count: number },
): Span[] =>
  spans.slice(
    0,
    1 +
      spans.findLastIndex((span) => {
        const { start, count } = told(span)
        return start <= today || count > 0
      }),
  )
