import { queryOptions, useQuery } from '@tanstack/react-query'

import { type CalendarDay, calendarDayOf } from '../../domain/calendar-day.ts'
import { correctedTime } from '../../offline/device-clock.ts'
import { readLibrary } from '../../offline/known-library.ts'
import { defaultZone } from '../../offline/open-loans.ts'
import { useKnownParameter } from '../settings/known-parameter.ts'

/** How far the device's clock was off when it was last measured; null when it never was. */
const clockQuery = queryOptions({
  queryKey: ['device', 'clock'],
  queryFn: () => readLibrary(async (library) => library?.clock?.offset ?? null),
  staleTime: 60_000,
})

/** Today where the library is, and the time zone of that place. */
export type LibraryDay = { day: CalendarDay; zone: string }

/** The library's day, by the server's clock as far as it is known. */
export function useLibraryDay(): LibraryDay {
  const offset = useQuery(clockQuery).data ?? null
  const zone = useKnownParameter('timezone') ?? defaultZone
  return { day: calendarDayOf(correctedTime(new Date(), offset), zone), zone }
}

export const useToday = (): CalendarDay => useLibraryDay().day
