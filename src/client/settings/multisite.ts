import { useSession } from '../api/session.ts'
import { useFlagParameter } from './parameter-data.ts'

/** Site names are shown only with several sites. */
export const useIsMultisite = (): boolean => useFlagParameter('multisite') ?? false

/** Whether lists are of one site of several: what it has not, another may have. Site 0 is all sites. */
export function useIsOneSiteOfSeveral(): boolean {
  const site = useSession()?.site
  return useIsMultisite() && site !== undefined && site !== null && site.id !== 0
}
