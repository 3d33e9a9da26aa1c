import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'

import { type CalendarDay, calendarDayOf } from '../../domain/calendar-day.ts'
import { correctedTime } from '../../offline/device-clock.ts'
import { readLibrary } from '../../offline/known-library.ts'
import { defaultZone } from '../../offline/open-loans.ts'
import { useTextParameter } from '../settings/parameter-data.ts'

/** How far the device's clock was off when it was last measured; null when it never was. */
const clockQuery = queryOptions({
  queryKey: ['device', 'clock'],
  queryFn: () => readLibrary(async (library) => library?.clock?.offset ?? null),
  staleTime: 60_000,
})

/** Today where the library is, and the time zone of that place. */
export type LibraryDay = { day: CalendarDay; zone: string }

/** Tells the library's day whenever it is asked, by the server's clock as far as it is known. */
export function useLibraryClock(): { today: () => CalendarDay; zone: string } {
  const offset = useQuery(clockQuery).data ?? null
  const zone = useTextParameter('timezone') ?? defaultZone
  const today = useCallback(() => calendarDayOf(correctedTime(new Date(), offset), zone), [offset, zone])
  return { today, zone }
}

/** The library's day of this moment. */
export function useLibraryDay(): LibraryDay {
  const { today, zone } = useLibraryClock()
  return { day: today(), zone }
}

export const useToday = (): CalendarDay => useLibraryDay().day
