import type { loanDelays, loanProgresses, OutNow } from '../../contract/stats.ts'
import type { Filter, Operator } from '../../contract/list.ts'
import { type CalendarDay, plusDays } from '../../domain/calendar-day.ts'
import type { Period } from '../../domain/stat-periods.ts'
import { useRight } from '../api/session.ts'

// The loans that a figure counts, as their list finds them.

/** By `field|operator`, as in the address of the list. */
type LoanValues = Readonly<Record<string, string>>

export type LoanFilters = {
  delay?: (typeof loanDelays)[number] | undefined
  progress?: (typeof loanProgresses)[number] | undefined
}

const statuses = { in_progress: 'in_progress', finished: 'finished', canceled: 'cancelled' } as const

export const begunIn = (
  { start_date, end_date }: Period,
  { delay = 'all', progress }: LoanFilters = {},
): LoanValues => ({
  'status|in': progress === undefined ? 'in_progress,finished' : statuses[progress],
  'start_date|gte': start_date,
  'start_date|lte': end_date,
  ...(delay === 'all' ? {} : { 'islate|eq': delay === 'late' ? '1' : '0' }),
})

export const returnedIn = ({ start_date, end_date }: Period): LoanValues => ({
  'status|in': 'finished',
  'return_date|gte': start_date,
  'return_date|lte': end_date,
})

export const outNow: LoanValues = { 'status|in': 'in_progress' }

const daysLate: Record<
  OutNow['delays'][number]['band'],
  readonly [least: number, most: number | null] | null
> = {
  none: null,
  '7': [1, 7],
  '30': [8, 30],
  '90': [31, 90],
  more: [91, null],
}

/** Out now and late by so many days, as of `today` in the library. */
export function lateBy(band: OutNow['delays'][number]['band'], today: CalendarDay): LoanValues {
  const late = daysLate[band]
  if (late === null) return { ...outNow, 'islate|eq': '0' }
  const [least, most] = late
  return {
    ...outNow,
    ...(most === null ? {} : { 'end_date|gte': plusDays(today, -most) }),
    'end_date|lte': plusDays(today, -least),
  }
}

export const filtersOf = (values: LoanValues): readonly Filter[] =>
  Object.entries(values).map(([name, value]) => {
    const [field = '', operator] = name.split('|')
    return { field, operator: operator as Operator, value }
  })

/** The address of the list of some loans, for whoever it shows all of them to. */
export function useLoansLink(): (values: LoanValues) => string | undefined {
  const mayList = useRight('LIST_LOANINGS')
  const seesHistory = useRight('BENEFICIARY_HISTORY')
  return (values) =>
    mayList && (seesHistory || values['status|in'] === 'in_progress')
      ? `/loanings?${new URLSearchParams(values).toString()}`
      : undefined
}
