import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'

import { readCalendar } from '../../contract/calendar.ts'
import { resourceOf } from '../../contract/changed-resources.ts'
import type { QueryOf } from '../../contract/endpoint.ts'
import { isCalendarDay } from '../../domain/calendar-day.ts'
import { call } from '../api/call.ts'

type CalendarQuery = QueryOf<typeof readCalendar>

export const calendarQuery = (query: CalendarQuery) =>
  queryOptions({
    queryKey: [resourceOf(readCalendar), readCalendar.name, query],
    queryFn: ({ signal }) => call(readCalendar, { query, signal }),
    placeholderData: keepPreviousData,
  })

const names = ['reference', 'category', 'bar_code', 'date'] as const

/** What is searched and which weeks are shown, in the address. */
export function useCalendarAddress() {
  const [search, setSearch] = useSearchParams()
  const written = search.toString()
  const query = useMemo((): CalendarQuery => {
    const read = new URLSearchParams(written)
    const found: CalendarQuery = {}
    for (const name of names) {
      const value = read.get(name)?.trim()
      if (value && (name !== 'date' || isCalendarDay(value))) found[name] = value
    }
    const weeks = read.get('weeks')
    if (weeks !== null && /^-?[1-9]\d{0,2}$/.test(weeks)) found.weeks = weeks
    return found
  }, [written])
  const change = useCallback(
    (changes: Partial<Record<keyof CalendarQuery, string>>) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes)) {
            if (value === '' || value === '0') next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        { replace: true },
      ),
    [setSearch],
  )
  return { query, change }
}
