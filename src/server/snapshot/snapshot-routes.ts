import { getSnapshot } from '../../contract/snapshot.ts'
import { read } from '../http/binding.ts'
import { sitesSeen } from '../http/exchange.ts'
import { done, notFound, refuse } from '../http/outcome.ts'
import { findSite } from '../settings/setting-queries.ts'
import { readSnapshot } from './read-snapshot.ts'

export const snapshotRoutes = [
  read(getSnapshot, async (db, { query }, exchange) => {
    const open = exchange.caller.sites
    const site = query.site || null
    if (site !== null && open.length > 0 && !open.includes(site)) {
      return refuse({ status: 403, message: 'Ce site ne vous est pas ouvert.', reason: 'SITE_CLOSED' })
    }
    if (site !== null && !(await findSite(db, site))) return notFound('Ce site n’existe pas.')
    const seen = sitesSeen(exchange.caller, site)
    // In one order, for the cursor names them.
    const sites = seen && [...seen].sort((a, b) => a - b)
    return done(await readSnapshot(db, { sites, since: query.since }, exchange))
  }),
]
