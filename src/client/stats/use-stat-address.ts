import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'

import { isCalendarDay } from '../../domain/calendar-day.ts'
import { type Period, periodFault, periodOf } from '../../domain/stat-periods.ts'
import { useToday } from '../loans/use-today.ts'

type Changes = Readonly<Record<string, string>>

/** What is asked for, in the address; an empty value leaves it. */
export function useStatAddress() {
  const [search, setSearch] = useSearchParams()
  const change = useCallback(
    (changes: Changes) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes)) {
            if (value === '') next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        { replace: true },
      ),
    [setSearch],
  )
  const clear = useCallback(() => setSearch({}, { replace: true }), [setSearch])
  return { search, change, clear }
}

export type PeriodAddress = {
  period: Period
  /** Said at the last day; nothing is asked for meanwhile. */
  fault: string | null
  change: (changes: Partial<Period>) => void
}

/** The period in the address, from the first to the last day of the current month unless said. */
export function usePeriod(): PeriodAddress {
  const { search, change } = useStatAddress()
  const today = useToday()
  const dayOf = (name: keyof Period) => {
    const written = search.get(name)
    return written !== null && isCalendarDay(written) ? written : undefined
  }
  const period = periodOf(dayOf('start_date'), dayOf('end_date'), today)
  return { period, fault: periodFault(period), change }
}
