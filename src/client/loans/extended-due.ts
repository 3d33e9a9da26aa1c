import { queryOptions, useQuery } from '@tanstack/react-query'

import { listCopies } from '../../contract/catalogue.ts'
import { membersOf } from '../../contract/list.ts'
import type { Loan } from '../../contract/loans.ts'
import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import { explainDue } from '../../domain/due-words.ts'
import {
  type Cycle,
  extensionOf,
  isDurationValue,
  isLate,
  longestDuration,
  stepsToDue,
} from '../../domain/loan-rules.ts'
import { calendarOf } from '../../domain/open-days.ts'
import { call } from '../api/call.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { useOpenings } from './open-days.ts'

/** The extended loan's return as the server will answer it, and why it is that day; null where unknown here. */
type ExtendedDue = (loan: Loan, added: number) => { due: CalendarDay; why: string | null } | null

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
    select: (page) => new Map(membersOf(page).map((copy): [number, Cycle] => [copy.id, copy])),
    enabled: copies.length > 0,
  })

/** What the rules need of loans: their copies' cycles, media's weekdays, sites' open days; null where unknown here. */
function useRulesOf(loans: readonly Loan[]) {
  const media = useQuery(mediaQuery).data
  const openings = useOpenings()
  const inCycles = loans.filter(({ duration_type }) => duration_type === 'CYCLE').map(({ copy }) => copy)
  const cycles = useQuery(cyclesQuery(inCycles)).data
  return (loan: Loan) => {
    const cycle = loan.duration_type === 'CYCLE' ? cycles?.get(loan.copy) : noCycle
    if (!media || !cycle || !openings) return null
    const end_day = media.find(({ name }) => name === loan.medium)?.end_day ?? null
    return { cycle, end_day, calendar: calendarOf(openings, loan.site) }
  }
}

export function useExtendedDue(loans: readonly Loan[]): ExtendedDue {
  const rulesOf = useRulesOf(loans)
  return (loan, added) => {
    const rules = rulesOf(loan)
    if (!rules || !isDurationValue(added)) return null
    const { cycle, end_day, calendar } = rules
    const [from, duration] = extensionOf(loan, added)
    const steps = stepsToDue(from, duration, cycle, end_day, calendar)
    return { due: steps.due, why: explainDue(steps, duration, end_day) }
  }
}

/** Why a loan is due on its day, where the rules as they are now give that day; else null. */
export function useWhyDue(loan: Loan): string | null {
  const rules = useRulesOf([loan])(loan)
  if (!rules) return null
  const steps = stepsToDue(loan.start_date, loan, rules.cycle, rules.end_day, rules.calendar)
  return steps.due === loan.end_date ? explainDue(steps, loan, rules.end_day) : null
}

/** The fewest units that make a loan in time; null where none do, or it is unknown. */
export function leastInTime(loan: Loan, today: CalendarDay, dueOf: ExtendedDue): number | null {
  for (let added = 1; added <= longestDuration; added += 1) {
    const extended = dueOf(loan, added)
    if (extended === null) return null
    if (!isLateUntil(extended.due, today)) return added
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
