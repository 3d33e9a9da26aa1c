import { useQuery } from '@tanstack/react-query'

import { closures } from '../../contract/closures.ts'
import { membersOf } from '../../contract/list.ts'
import type { Openings } from '../../domain/open-days.ts'
import { knownSoon } from '../api/known-soon.ts'
import { listQuery } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'

const closedQuery = listQuery(closures.list, { limit: 500 })

export const siteOpeningsKnown = (): Promise<unknown> =>
  knownSoon(
    Promise.all([queryClient.prefetchQuery(closedQuery), queryClient.prefetchQuery(enabledSitesQuery)]),
  )

/** When each site in service is open; null until it is known. */
export function useSiteOpenings(): Openings | null {
  const { data: closed } = useQuery(closedQuery)
  const { data: sites } = useQuery(enabledSitesQuery)
  if (!closed || !sites) return null
  return {
    weeks: sites.map(({ id, open_weekdays }) => ({ site: id, weekdays: open_weekdays })),
    closures: membersOf(closed),
  }
}
