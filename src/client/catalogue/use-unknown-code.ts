import { useCallback } from 'react'

import { useSession } from '../api/session.ts'
import { useIsMultisite } from '../settings/multisite.ts'

/** What is said of a code that nobody found: among several sites, only that of the counter was searched. */
export function useUnknownCode(): (code: string) => string {
  const isMultisite = useIsMultisite()
  const site = useSession()?.site?.id ?? 0
  const isOneSite = isMultisite && site !== 0
  return useCallback(
    (code) =>
      isOneSite
        ? `Code inconnu sur ce site\u202f: «\u00a0${code}\u00a0».`
        : `Ni exemplaire ni lecteur ne porte le code «\u00a0${code}\u00a0».`,
    [isOneSite],
  )
}
