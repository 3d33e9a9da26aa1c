import { type RawBuilder, sql } from 'kysely'

import type { InventoryScan } from '../../contract/inventories.ts'
import type { Db, Trx } from '../db/handles.ts'
import { accountName } from '../db/person-names.ts'
import { copyOpen, type Sight } from '../sight/sight.ts'

/** Scans k; of a copy of a closed site, only what was read on its label. */
const selectScans = (sight: Sight, rest: RawBuilder<unknown>) => sql<InventoryScan>`
  select k.key, k.bar_code, case when ${copyOpen(sight)} then k.copy end as copy, k.location, k.scanned_at, k.way,
    k.note, k.taken_back, k.verdict, case when ${copyOpen(sight)} then r.name end as name,
    case when ${copyOpen(sight)} then c.bar_code end as copy_barcode, ${accountName('u')} as who, k.device_id, k.is_late
  from inventory_scans k join users u on u.id = k.user_id
    left join copies c on c.id = k.copy left join "references" r on r.id = c.reference
  ${rest}`

/** In the order of the keys that are asked for. */
export async function scansByKeys(
  db: Db | Trx,
  inventory: number,
  keys: readonly string[],
  sight: Sight,
): Promise<InventoryScan[]> {
  const asked = sql`${[...keys]}::uuid[]`
  const { rows } = await selectScans(
    sight,
    sql`where k.inventory = ${inventory} and k.key = any(${asked}) order by array_position(${asked}, k.key)`,
  ).execute(db)
  return rows
}

type Run = { after: string | null; limit: number; changed: { since: number; below: number } | null }

/** By their key, from one on; those that changed within some transactions, or all. */
export async function scansAfter(
  db: Db | Trx,
  inventory: number,
  { after, limit, changed }: Run,
  sight: Sight,
): Promise<InventoryScan[]> {
  const { rows } = await selectScans(
    sight,
    sql`where k.inventory = ${inventory}
      ${after === null ? sql`` : sql`and k.key > ${after}::uuid`}
      ${changed === null ? sql`` : sql`and k.changed_xid >= ${changed.since}::bigint and k.changed_xid < ${changed.below}::bigint`}
    order by k.key limit ${limit}`,
  ).execute(db)
  return rows
}
