import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'

import { closures } from '../../contract/closures.ts'
import { membersOf } from '../../contract/list.ts'
import { sites } from '../../contract/sites.ts'
import { calendarOf, noOpenings, type OpenCalendar, type Openings } from '../../domain/open-days.ts'
import { readLibrary } from '../../offline/known-library.ts'
import { call } from '../api/call.ts'
import { serverFirst } from '../api/server-first.ts'
import { useSession } from '../api/session.ts'

/** Null until the device has its copy of the library. */
const ofDevice = (): Promise<Openings | null> =>
  readLibrary((library) => Promise.resolve(library?.settings?.openings ?? null))

const openingsQuery = queryOptions({
  queryKey: ['closures', 'openings'],
  queryFn: ({ signal }) =>
    serverFirst(async (): Promise<Openings | null> => {
      const list = { limit: 500 }
      const [closed, open] = await Promise.all([
        call(closures.list, { list, signal }),
        call(sites.list, { list, signal }),
      ])
      return {
        weeks: membersOf(open).map((site) => ({ site: site.id, weekdays: site.open_weekdays })),
        closures: membersOf(closed),
      }
    }, ofDevice),
  staleTime: 5 * 60_000,
})

const deviceOpeningsQuery = queryOptions({
  queryKey: ['device', 'openings'],
  queryFn: ofDevice,
  staleTime: 60_000,
})

/** When each site is open: from the server or, until it answers and off line, the device; null while neither has told. */
export function useOpenings(): Openings | null {
  const kept = useQuery(deviceOpeningsQuery).data
  return useQuery(openingsQuery).data ?? kept ?? null
}

const openingsNow = (client: QueryClient): Openings | null =>
  client.getQueryData(openingsQuery.queryKey) ?? client.getQueryData(deviceOpeningsQuery.queryKey) ?? null

/** None where neither can tell; null while they are asked. */
export function useOpeningsTold(): Openings | null {
  const told = useOpenings()
  const queries = [useQuery(openingsQuery), useQuery(deviceOpeningsQuery)]
  return told ?? (queries.every(({ isFetched }) => isFetched) ? noOpenings : null)
}

/** Once the server or the device has told; none where neither can. */
export async function openingsTold(client: QueryClient): Promise<Openings> {
  const told = [openingsQuery, deviceOpeningsQuery].map(async (query) => {
    if ((await client.ensureQueryData(query)) === null) throw new Error('Not told yet')
  })
  await Promise.any(told).catch(() => undefined)
  return openingsNow(client) ?? noOpenings
}

/** When the site of a loan that is made at this counter is open: the counter's, or else the copy's. */
export type OpenAt = (copy: { site: number }) => OpenCalendar

export function useOpenAt(): { openAt: OpenAt; isCalendarKnown: boolean } {
  const client = useQueryClient()
  const openings = useOpenings()
  const site = useSession()?.site?.id ?? 0
  const openAt = useCallback(
    // What has come since the last drawing counts already.
    (copy: { site: number }) => calendarOf(openings ?? openingsNow(client) ?? noOpenings, site || copy.site),
    [client, openings, site],
  )
  return { openAt, isCalendarKnown: openings !== null }
}
