import { useSession } from '../session/session.ts'

/** Names of the person's sites, for actions that only carry the number. */
export function useSiteNames(): (site: number) => string {
  const sites = useSession()?.user?.sites ?? []
  return (site) =>
    site === 0 ? 'Tous les sites' : (sites.find(({ id }) => id === site)?.name ?? `Site ${site}`)
}
