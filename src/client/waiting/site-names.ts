import { useSession } from '../api/session.ts'
import { useIsMultisite } from '../settings/multisite.ts'

/** Names of the person's sites, for actions that only carry the number; empty in a library that has one. */
export function useSiteNames(): (site: number) => string {
  const sites = useSession()?.user?.sites ?? []
  const isMultisite = useIsMultisite()
  return (site) =>
    !isMultisite
      ? ''
      : site === 0
        ? 'Tous les sites'
        : (sites.find(({ id }) => id === site)?.name ?? `Site ${site}`)
}
