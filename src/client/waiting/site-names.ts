import { useSession } from '../api/session.ts'
import { useIsMultisite } from '../settings/multisite.ts'

/** Empty in a library with a single site. */
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
