import { queryOptions, useQuery } from '@tanstack/react-query'

import { listCopies } from '../../contract/catalogue.ts'
import type { Loan } from '../../contract/loans.ts'
import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import {
  type Cycle,
  extendedDueOn,
  isDurationValue,
  isLate,
  longestDuration,
} from '../../domain/loan-rules.ts'
import { call } from '../api/call.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'

/** The extended loan's return as the server will answer it; null where unknown here. */
export type ExtendedDue = (loan: Loan, added: number) => CalendarDay | null

const noCycle: Cycle = { cycle_type: null, cycle_value: null }

/** Cycles are the copies' own. */
const cyclesQuery = (copies: readonly number[]) =>
  queryOptions({
    queryKey: ['copies', 'cycles', copies],
    queryFn: ({ signal }) =>
      call(listCopies, {
        list: { limit: copies.length, filters: [{ field: 'id', operator: 'in', value: [...copies] }] },
        signal,
        // A loan may be of another site's copy.
        site: 0,
      }),
    select: (page) => new Map(page['hydra:member'].map((copy): [number, Cycle] => [copy.id, copy])),
    enabled: copies.length > 0,
  })

export function useExtendedDue(loans: readonly Loan[]): ExtendedDue {
  const media = useQuery(mediaQuery).data
  const inCycles = loans.filter(({ duration_type }) => duration_type === 'CYCLE').map(({ copy }) => copy)
  const cycles = useQuery(cyclesQuery(inCycles)).data
  return (loan, added) => {
    const cycle = loan.duration_type === 'CYCLE' ? cycles?.get(loan.copy) : noCycle
    if (!media || !cycle || !isDurationValue(added)) return null
    return extendedDueOn(loan, added, cycle, media.find(({ name }) => name === loan.medium)?.end_day ?? null)
  }
}

/** The fewest units that make a loan in time; null where none do, or it is unknown. */
export function leastInTime(loan: Loan, today: CalendarDay, dueOf: ExtendedDue): number | null {
  for (let added = 1; added <= longestDuration; added += 1) {
    const due = dueOf(loan, added)
    if (due === null) return null
    if (!isLateUntil(due, today)) return added
  }
  return null
}

/** Whether a loan that is not returned is late though it was extended until that day. */
export const isLateUntil = (end_date: CalendarDay, today: CalendarDay): boolean =>
  isLate({ end_date, return_date: null }, today)

/** « le 08/11/2026 », « du 08/11/2026 au 15/11/2026 ». */
export function daysInWords(days: readonly CalendarDay[]): string {
  const [first = '', ...others] = days.toSorted()
  const last = others.at(-1) ?? first
  return last === first ? `le ${frenchDay(first)}` : `du ${frenchDay(first)} au ${frenchDay(last)}`
}
