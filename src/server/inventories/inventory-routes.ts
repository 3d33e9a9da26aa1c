import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import * as call from '../../contract/inventories.ts'
import {
  copiesPerPage,
  type InventoryCopy,
  type listInventoryCopies as listInventoryCopiesCall,
} from '../../contract/inventories.ts'
import type { Db } from '../db/handles.ts'
import { change, file, longRead, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { shelfMark } from '../library-facts/shelf-mark.ts'
import { visibleInventories } from '../visibility/visibility.ts'
import { applyInventory } from './apply-inventory.ts'
import { addInventory, changeInventory, removeInventory, setInventoryStatus } from './change-inventory.ts'
import { isExpected } from './counted-copies.ts'
import { exportInventory } from './export-inventory.ts'
import { findInventory, listInventories, noSuchInventory } from './inventory-queries.ts'
import { listFindings } from './list-findings.ts'
import { readProgress } from './progress.ts'
import { receiveScans } from './receive-scans.ts'
import { listScans } from './scan-queries.ts'

/** Of a label, the copy that has it or the last one that had: the same that the server would find. */
const isMeant = sql`(c.deleted_at is null or c.id = (
  select b.id from copies b where b.bar_code = c.bar_code order by b.deleted_at desc nulls first, b.id desc limit 1))`

/** The copies of the site of an inventory by their id, some at a time, for a phone that counts off line. */
async function listInventoryCopies(
  db: Db,
  { params: { id }, query: { after = 0 } }: VerbInput<typeof listInventoryCopiesCall>,
  { visibility }: Exchange,
): Promise<Outcome<AnswerOf<typeof listInventoryCopiesCall>>> {
  const { rows: found } = await sql<{ site: number; total: number }>`
    select i.site, (select count(*) from copies c where c.site = i.site and ${isMeant}) as total
    from inventories i where i.id = ${id} and i.deleted_at is null and ${visibleInventories(visibility)}`.execute(
    db,
  )
  const [inventory] = found
  if (!inventory) return noSuchInventory
  const { rows } = await sql<InventoryCopy>`
    select c.id, c.bar_code, r.name, ${shelfMark} as call_number,
      (select m.name from media m where m.id = r.medium) as medium, c.site, c.location, c.status,
      c.deleted_at is not null as deleted, ${isExpected} as expected
    from copies c join "references" r on r.id = c.reference join inventories n on n.id = ${id}
    where c.site = ${inventory.site} and c.id > ${after} and ${isMeant}
    order by c.id limit ${copiesPerPage + 1}`.execute(db)
  return done({
    copies: rows.slice(0, copiesPerPage),
    total: inventory.total,
    complete: rows.length <= copiesPerPage,
  })
}

export const inventoryRoutes = [
  longRead(call.inventories.list, async (db, { list }, { visibility }) =>
    done(await listInventories(db, list, visibility)),
  ),
  read(call.getInventory, async (db, { params: { id } }, { visibility }) => {
    const found = await findInventory(db, id, visibility)
    return found ? done(found) : noSuchInventory
  }),
  change(call.inventories.add, addInventory),
  change(call.inventories.change, changeInventory),
  change(call.inventories.remove, removeInventory),
  change(call.setInventoryStatus, setInventoryStatus),
  longRead(call.listInventoryCopies, listInventoryCopies),
  change(call.sendScans, receiveScans),
  longRead(call.listScans, listScans),
  longRead(call.getInventoryProgress, readProgress),
  longRead(call.listFindings, listFindings),
  change(call.applyInventory, applyInventory),
  file(call.exportInventory, exportInventory),
]
