import { getSnapshot } from '../../contract/snapshot.ts'
import { longRead } from '../http/binding.ts'
import { done, notFound, refuse } from '../http/outcome.ts'
import { siteRows } from '../settings/site-rows.ts'
import { isSiteOpen, sightFrom } from '../sight/sight.ts'
import { readSnapshot } from './read-snapshot.ts'

export const snapshotRoutes = [
  longRead(getSnapshot, async (db, { query }, exchange) => {
    const site = query.site || null
    if (site !== null && !isSiteOpen(exchange.sight, site)) {
      return refuse({ status: 403, message: 'Ce site ne vous est pas ouvert.', reason: 'SITE_CLOSED' })
    }
    if (site !== null && !(await siteRows.find(db, site))) return notFound('Ce site n’existe pas.')
    const sight = sightFrom(exchange.sight, site)
    return done(await readSnapshot(db, { sight, since: query.since }, exchange))
  }),
]
