import { findLostReceipts, getSnapshot } from '../../contract/snapshot.ts'
import { longRead, read } from '../http/binding.ts'
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
  read(findLostReceipts, async (db, { query: { keys } }) => {
    const known = await db.selectFrom('idempotency_keys').select('key').where('key', 'in', keys).execute()
    const there = new Set(known.map(({ key }) => key))
    return done({ '@type': 'LostReceipts' as const, keys: keys.filter((key) => !there.has(key)) })
  }),
]
