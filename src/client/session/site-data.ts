import { useQuery } from '@tanstack/react-query'

import type { CurrentUser } from '../../contract/session.ts'
import type { ChosenSite } from '../api/session.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'

export const allSites: ChosenSite = { id: 0, name: 'Tous les sites' }

/** Empty until settled, because a list that grows under a finger makes it choose wrong. */
export function useSiteChoices(user: CurrentUser | null): ChosenSite[] {
  const isSeveral = (user?.sites.length ?? 0) > 1
  const { data: enabled, isPending } = useQuery({ ...enabledSitesQuery, enabled: isSeveral })
  if (!user || (isSeveral && isPending)) return []
  const isOpen = new Set(user.sites.map(({ id }) => id))
  const isAllOpen = isSeveral && enabled?.every(({ id }) => isOpen.has(id))
  return isAllOpen ? [...user.sites, allSites] : user.sites
}
