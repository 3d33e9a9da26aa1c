import { queryOptions, useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'

import { closures } from '../../contract/closures.ts'
import { sites } from '../../contract/sites.ts'
import { calendarOf, noOpenings, type OpenCalendar, type Openings } from '../../domain/open-days.ts'
import { openingsKnown, readLibrary } from '../../offline/known-library.ts'
import { call } from '../api/call.ts'
import { serverFirst } from '../api/server-first.ts'
import { useSession } from '../api/session.ts'

const ofDevice = (): Promise<Openings> => readLibrary((library) => Promise.resolve(openingsKnown(library)))

const openingsQuery = queryOptions({
  queryKey: ['closures', 'openings'],
  queryFn: ({ signal }) =>
    serverFirst(async (): Promise<Openings> => {
      const list = { limit: 500 }
      const [closed, open] = await Promise.all([
        call(closures.list, { list, signal }),
        call(sites.list, { list, signal }),
      ])
      return {
        weeks: open['hydra:member'].map((site) => ({ site: site.id, weekdays: site.open_weekdays })),
        closures: closed['hydra:member'],
      }
    }, ofDevice),
  staleTime: 5 * 60_000,
})

const deviceOpeningsQuery = queryOptions({
  queryKey: ['device', 'openings'],
  queryFn: ofDevice,
  staleTime: 60_000,
})

/** When each site is open: from the server or, until it answers and off line, the device. */
export function useOpenings(): Openings {
  const kept = useQuery(deviceOpeningsQuery).data
  return useQuery(openingsQuery).data ?? kept ?? noOpenings
}

/** When the site of a loan that is made at this counter is open: the counter's, or else the copy's. */
export type OpenAt = (copy: { site: number }) => OpenCalendar

export function useOpenAt(): OpenAt {
  const openings = useOpenings()
  const site = useSession()?.site?.id ?? 0
  return useCallback((copy) => calendarOf(openings, site || copy.site), [openings, site])
}
