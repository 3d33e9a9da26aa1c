import type { Exchange } from '../http/exchange.ts'
import { isSiteOpen } from '../sight/sight.ts'
import type { CirculatingCopy } from './circulating-copy.ts'

/** The counter's site, else the copy's, else one that is open to the lender. */
export function siteOfLoan(
  copy: Pick<CirculatingCopy, 'site'>,
  { site, sight }: Pick<Exchange, 'site' | 'sight'>,
): number {
  if (site !== null) return site
  return isSiteOpen(sight, copy.site) ? copy.site : (sight.open?.[0] ?? copy.site)
}
