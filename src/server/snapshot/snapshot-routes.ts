import { findLostReceipts, getSnapshot, type SnapshotPage } from '../../contract/snapshot.ts'
import { counterParameters } from '../../domain/parameters.ts'
import { allMedia } from '../catalogue/medium-queries.ts'
import type { Db, Trx } from '../db/handles.ts'
import { readOneInstant } from '../db/one-instant.ts'
import { longRead, read } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, refuse } from '../http/outcome.ts'
import { enabledReasons } from '../settings/reasons.ts'
import { siteRows } from '../settings/save-site.ts'
import { isSiteOpen, type Visibility, visibilityFrom } from '../visibility/visibility.ts'
import { type Horizon, isOfThisPast, readHorizon } from './horizon.ts'
import {
  type Cursor,
  nameOfScope,
  phases,
  readCursor,
  type Scope,
  scopeOf,
  writeCursor,
} from './snapshot-cursor.ts'
import { areChangesTold, countRows, readPhase, type SnapshotRows } from './snapshot-queries.ts'

/** Some 300 kB of JSON, read in a fraction of a second by the embedded engine. */
const rowsPerPage = 2000

/** A page of a whole snapshot (`reset`) or of what changed since a usable cursor's pass began. */
async function readSnapshot(
  db: Db,
  { visibility, since }: { visibility: Visibility; since: string | undefined },
  exchange: Exchange,
): Promise<SnapshotPage> {
  const { environment, now } = exchange
  const scope = scopeOf(visibility)

  // One instant for the whole page gives each loan its copy's state; read first, the horizon misses nothing.
  return readOneInstant(db, async (trx) => {
    const horizon = await readHorizon(trx)
    const scopeName = nameOfScope(environment, scope, horizon)
    const given = since === undefined ? null : readCursor(since)
    const known = given?.scope === scopeName && (await canGoOn(trx, given, horizon)) ? given : null
    const isFirstPage = known === null || known.phase === null
    const pass: Cursor = isFirstPage ? await beginPass(trx, known, horizon, { scope, scopeName }) : known
    const { rows, next } = await readRows(trx, pass, horizon.below, scope)
    return {
      cursor: writeCursor(next),
      complete: next.phase === null,
      reset: known === null,
      total: pass.total,
      server_time: now.toISOString(),
      ...(isFirstPage ? { settings: await readSettings(trx, exchange) } : {}),
      ...rows,
    }
  })
}

async function canGoOn(trx: Trx, given: Cursor, horizon: Horizon): Promise<boolean> {
  if (!(await isOfThisPast(trx, given, horizon))) return false
  const since = given.phase === null ? given.to : given.from
  return since === 0 || areChangesTold(trx, since)
}

async function beginPass(
  trx: Trx,
  known: Cursor | null,
  { to, witness }: Horizon,
  { scope, scopeName }: { scope: Scope; scopeName: string },
): Promise<Cursor> {
  const total = known?.total ?? (await countRows(trx, scope))
  return { from: known?.to ?? 0, to, phase: phases[0], after: 0, total, scope: scopeName, witness }
}

async function readRows(
  trx: Trx,
  pass: Cursor,
  below: number,
  scope: Scope,
): Promise<{ rows: SnapshotRows; next: Cursor }> {
  const rows: SnapshotRows = { copies: [], beneficiaries: [], loanings: [], reservations: [] }
  const changed = pass.from === 0 ? null : { since: pass.from, below }
  let { after } = pass
  let room = rowsPerPage
  for (const phase of phases.slice(phases.indexOf(pass.phase ?? 'copies'))) {
    const ids = await readPhase(trx, phase, scope, { after, limit: room, changed }, rows)
    if (ids.length === room) return { rows, next: { ...pass, phase, after: ids.at(-1) ?? after } }
    room -= ids.length
    after = 0
  }
  return { rows, next: { ...pass, phase: null, after: 0 } }
}

async function readSettings(
  trx: Trx,
  { parameters, openings, visibility }: Exchange,
): Promise<NonNullable<SnapshotPage['settings']>> {
  return {
    media: await allMedia(trx),
    reasons: await enabledReasons(trx),
    parameters: Object.fromEntries(counterParameters.map((code) => [code, parameters.get(code)])),
    openings: {
      weeks: openings.weeks.filter(({ site }) => isSiteOpen(visibility, site)),
      closures: openings.closures.filter(({ site }) => site === null || isSiteOpen(visibility, site)),
    },
  }
}

export const snapshotRoutes = [
  longRead(getSnapshot, async (db, { query }, exchange) => {
    const site = query.site || null
    if (site !== null && !isSiteOpen(exchange.visibility, site)) {
      return refuse({ status: 403, message: 'Ce site ne vous est pas ouvert.', reason: 'SITE_CLOSED' })
    }
    if (site !== null && !(await siteRows.find(db, site))) return notFound('Ce site n’existe pas.')
    const visibility = visibilityFrom(exchange.visibility, site)
    return done(await readSnapshot(db, { visibility, since: query.since }, exchange))
  }),
  read(findLostReceipts, async (db, { query: { keys } }) => {
    const known = await db.selectFrom('idempotency_keys').select('key').where('key', 'in', keys).execute()
    const there = new Set(known.map(({ key }) => key))
    return done({ '@type': 'LostReceipts' as const, keys: keys.filter((key) => !there.has(key)) })
  }),
]
