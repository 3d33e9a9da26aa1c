import type { loanDelays, loanProgresses } from '../../contract/stats.ts'
import type { Filter, Operator } from '../../contract/list.ts'
import type { Period } from '../../domain/stat-periods.ts'
import { useRight } from '../api/session.ts'

// The loans that a figure counts, as their list finds them.

/** By `field|operator`, as in the address of the list. */
export type LoanValues = Readonly<Record<string, string>>

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
