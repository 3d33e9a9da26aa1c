import { Select } from '@mantine/core'

import { useSession } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { allSites } from '../session/site-data.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { useStatAddress } from './use-stat-address.ts'

const siteId = /^(0|[1-9]\d{0,8})$/

/** The site in the address: the chosen one unless said, and every one where there is but one. */
export function useAskedSite(): string {
  const { search } = useStatAddress()
  const chosen = useSession()?.site?.id ?? allSites.id
  const isMultisite = useIsMultisite()
  const written = search.get('site')
  if (!isMultisite) return String(allSites.id)
  return written !== null && siteId.test(written) ? written : String(chosen)
}

/** « Tous les sites » first, where there are several. */
export function SiteField({ site }: { site: string }) {
  const { change } = useStatAddress()
  const sites = useSession()?.user?.sites ?? []
  return useIsMultisite() ? (
    <Select
      label={inWords('Site')}
      data={[{ ...allSites, name: inWords(allSites.name) }, ...sites].map(({ id, name }) => ({
        value: String(id),
        label: name,
      }))}
      value={site}
      allowDeselect={false}
      onChange={(next) => change({ site: next ?? '' })}
    />
  ) : null
}
