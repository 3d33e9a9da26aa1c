import { sql } from 'kysely'

import type { Exchange } from '../http/exchange.ts'
import { refuse } from '../http/outcome.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import type { CirculatingCopy } from './circulating-copy.ts'

/** The counter's site, else the copy's, else one that is open to the lender. */
export function siteOfLoan(
  copy: Pick<CirculatingCopy, 'site'>,
  { site, visibility }: Pick<Exchange, 'site' | 'visibility'>,
): number {
  if (site !== null) return site
  return isSiteOpen(visibility, copy.site) ? copy.site : (visibility.open?.[0] ?? copy.site)
}

/** Sites where nothing is lent or sold; what was lent there still comes back. */
export const sitesOutOfService = sql`
  coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name)) from sites s where not s.enabled), '[]')`

export const outOfService = (name: string, verb: 'prête' | 'vend') =>
  refuse({
    status: 403,
    message: `Le site «\u00a0${name}\u00a0» est hors service\u202f: rien ne s’y ${verb}.`,
    reason: 'SITE_CLOSED',
  })
