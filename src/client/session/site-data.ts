import { queryOptions, useQuery } from '@tanstack/react-query'

import type { CurrentUser } from '../../contract/session.ts'
import { sites } from '../../contract/sites.ts'
import { call } from '../api/call.ts'
import type { ChosenSite } from '../api/session.ts'

export const allSites: ChosenSite = { id: 0, name: 'Tous les sites' }

export const enabledSitesQuery = queryOptions({
  queryKey: ['sites', 'enabled'],
  queryFn: ({ signal }) =>
    call(sites.list, {
      list: { limit: 500, filters: [{ field: 'enabled', operator: 'eq', value: true }] },
      signal,
    }),
  select: (page) => page['hydra:member'],
  staleTime: 10 * 60_000,
})

/** Empty until settled, because a list that grows under a finger makes it choose wrong. */
export function useSiteChoices(user: CurrentUser | null): ChosenSite[] {
  const isSeveral = (user?.sites.length ?? 0) > 1
  const { data: enabled, isPending } = useQuery({ ...enabledSitesQuery, enabled: isSeveral })
  if (!user || (isSeveral && isPending)) return []
  const isOpen = new Set(user.sites.map(({ id }) => id))
  const isAllOpen = isSeveral && enabled?.every(({ id }) => isOpen.has(id))
  return isAllOpen ? [...user.sites, allSites] : user.sites
}
