import { createHash } from 'node:crypto'

import { type RawBuilder, sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { InventoryScan, listScans as listScansCall } from '../../contract/inventories.ts'
import type { Db, Trx } from '../db/handles.ts'
import { readOneInstant } from '../db/one-instant.ts'
import { accountName } from '../library-facts/person-names.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { copyOpen, type Visibility } from '../visibility/visibility.ts'
import { isOfThisPast, readHorizon } from '../snapshot/horizon.ts'
import { lookFor, noSuchInventory } from './inventory-queries.ts'

const scansPerPage = 1000

/** A pass sends all scans (`from` 0) or what changed since a horizon; the next one starts from `to` (decision 0004). */
type Cursor = {
  from: number
  to: number
  /** The last key of a pass that goes on. */
  after: string | null
  witness: readonly [id: number, at: number]
}

/** What was scanned since a cursor; a cursor that cannot be used begins anew, for a key that comes twice is one. */
export async function listScans(
  db: Db,
  { params: { id }, query: { since } }: VerbInput<typeof listScansCall>,
  { environment, visibility }: Exchange,
): Promise<Outcome<AnswerOf<typeof listScansCall>>> {
  const about = createHash('sha256')
    .update(JSON.stringify([environment.id, environment.base, id, visibility.open]))
    .digest('base64url')
    .slice(0, 12)
  return readOneInstant(db, async (trx) => {
    const horizon = await readHorizon(trx)
    if (!(await lookFor(trx, id, visibility))) return noSuchInventory
    const given = since === undefined ? null : readCursor(since, about)
    const known = given && (await isOfThisPast(trx, given, horizon)) ? given : null
    const { to, witness } = horizon
    const pass: Cursor =
      known !== null && known.after !== null ? known : { from: known?.to ?? 0, to, after: null, witness }
    const { from: from_, after } = pass
    const changed = from_ === 0 ? null : { since: from_, below: horizon.below }
    const rows = await scansAfter(trx, id, { after, limit: scansPerPage, changed }, visibility)
    const complete = rows.length < scansPerPage
    const next = { ...pass, after: complete ? null : (rows.at(-1)?.key ?? null) }
    return done({ scans: rows, cursor: writeCursor(next, about), complete })
  })
}

const writeCursor = ({ from, to, after, witness }: Cursor, about: string): string =>
  [...[from, to, ...witness].map((number) => number.toString(36)), after ?? '', about].join('~')

/** Reads a cursor that this server wrote about the same; null for anything else. */
function readCursor(text: string, about: string): Cursor | null {
  const match = /^((?:[0-9a-z]{1,11}~){4})([0-9a-f-]{36})?~([\w-]{12})$/.exec(text)
  if (!match || match[3] !== about) return null
  const numbers = (match[1] ?? '').split('~').slice(0, -1)
  const [from = 0, to = 0, id = 0, at = 0] = numbers.map((part) => Number.parseInt(part, 36))
  if (![from, to, id, at].every(Number.isSafeInteger)) return null
  const after = match[2] !== undefined && isUuid(match[2]) ? match[2] : null
  return { from, to, after, witness: [id, at] }
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Scans k; of a copy of a closed site, only what was read on its label. */
const selectScans = (visibility: Visibility, rest: RawBuilder<unknown>) => sql<InventoryScan>`
  select k.key, k.bar_code, case when ${copyOpen(visibility)} then k.copy end as copy, k.location, k.scanned_at, k.way,
    k.note, k.taken_back, k.verdict, case when ${copyOpen(visibility)} then r.name end as name,
    case when ${copyOpen(visibility)} then c.bar_code end as copy_barcode, ${accountName('u')} as who, k.device_id, k.is_late
  from inventory_scans k join users u on u.id = k.user_id
    left join copies c on c.id = k.copy left join "references" r on r.id = c.reference
  ${rest}`

/** In the order of the keys that are asked for. */
export async function scansByKeys(
  db: Db | Trx,
  inventory: number,
  keys: readonly string[],
  visibility: Visibility,
): Promise<InventoryScan[]> {
  const asked = sql`${[...keys]}::uuid[]`
  const { rows } = await selectScans(
    visibility,
    sql`where k.inventory = ${inventory} and k.key = any(${asked}) order by array_position(${asked}, k.key)`,
  ).execute(db)
  return rows
}

type Run = { after: string | null; limit: number; changed: { since: number; below: number } | null }

/** By their key, from one on; those that changed within some transactions, or all. */
async function scansAfter(
  db: Db | Trx,
  inventory: number,
  { after, limit, changed }: Run,
  visibility: Visibility,
): Promise<InventoryScan[]> {
  const { rows } = await selectScans(
    visibility,
    sql`where k.inventory = ${inventory}
      ${after === null ? sql`` : sql`and k.key > ${after}::uuid`}
      ${changed === null ? sql`` : sql`and k.changed_xid >= ${changed.since}::bigint and k.changed_xid < ${changed.below}::bigint`}
    order by k.key limit ${limit}`,
  ).execute(db)
  return rows
}
