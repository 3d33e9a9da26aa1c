import { type RawBuilder, sql } from 'kysely'

import type { Act } from '../../contract/acts.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import * as call from '../../contract/inventories.ts'
import {
  copiesPerPage,
  type InventoryCopy,
  type listInventoryCopies as listInventoryCopiesCall,
} from '../../contract/inventories.ts'
import { rightOfAction } from '../../domain/finding-rights.ts'
import { type FindingAction, findingGroups } from '../../domain/inventory.ts'
import { findAct } from '../acts/act-queries.ts'
import type { Db, Trx } from '../db/handles.ts'
import { openAct } from '../http/act.ts'
import { change, file, longRead, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, forbidden, type Outcome } from '../http/outcome.ts'
import { startJob } from '../jobs/job.ts'
import { shelfMark } from '../library-facts/shelf-mark.ts'
import { visibleInventories } from '../visibility/visibility.ts'
import {
  addInventory,
  changeInventory,
  over,
  readPlaces,
  readProgress,
  removeInventory,
  setInventoryStatus,
} from './change-inventory.ts'
import { isExpected } from './counted-copies.ts'
import { exportInventory } from './export-inventory.ts'
import { findingsNow, lastLoan, lastSeenOf } from './findings.ts'
import {
  findInventory,
  isOver,
  listInventories,
  lockInventory,
  noSuchInventory,
} from './inventory-queries.ts'
import { listFindings } from './list-findings.ts'
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

/** Ends the inventory with what it found, and has a job do what was chosen, as one act. */
async function applyInventory(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof call.applyInventory>,
  exchange: Exchange,
): Promise<Outcome<Act>> {
  const { visibility, caller, now, parameters } = exchange
  const kept = await lockInventory(trx, id, visibility)
  const before = kept && (await findInventory(trx, id, visibility))
  if (!before) return noSuchInventory
  if (isOver(before)) return over
  const actions = Object.values(body).flatMap((of) => (of ? [of.action] : []))
  if (!actions.every((action) => caller.rights.has(rightOfAction[action]))) return forbidden()

  const { name } = before
  // At the inventory's own site, so that whoever works elsewhere does not see it.
  const atSite = { ...exchange, site: before.site }
  const { act } = await openAct(trx, atSite, { kind: 'inventory.apply', name, isLasting: true })
  const total = await keepFindings(trx, id, body, parameters.get('timezone'))
  const at = now.toISOString()
  await trx
    .updateTable('inventories')
    .set({
      status: 'applied',
      act,
      expected: before.expected,
      seen: before.seen,
      places: JSON.stringify(await readPlaces(trx, id)),
      ended_at: at,
      date_update: at,
    })
    .where('id', '=', id)
    .execute()
  await journal(
    trx,
    { ...exchange, act },
    {
      action: 'inventories.apply',
      entity: 'inventories',
      entity_id: id,
      before,
      after: await findInventory(trx, id, visibility),
    },
  )
  await startJob(trx, exchange, { kind: 'inventories.apply', input: { inventory: id, act }, total })
  return done((await findAct(trx, act, exchange))!)
}

type Chosen = VerbInput<typeof call.applyInventory>['body']

/** A return comes before what else is done to the copy, so that undoing meets each state where it was left. */
const inTurn = sql`array_position(array['on_shelf','withdrawn','found_again','misplaced','missing','unknown'], f."group")`

/** Writes down the review as it is, with what is to be done about each finding; answers of how many. */
async function keepFindings(trx: Trx, id: number, chosen: Chosen, timeZone: string): Promise<number> {
  await sql`
    insert into inventory_findings (inventory, position, "group", key, copy, bar_code, name, call_number, site, location,
      location_label, seen_location, seen_location_label, scanned_at, scanned_by, note, last_seen_on, last_loan, action)
    select ${id}, row_number() over (order by ${inTurn}, f.copy, f.key), f."group", f.key, f.copy, f.bar_code, f.name,
      f.call_number, f.site, f.location, f.location_label, f.seen_location, f.seen_location_label, f.scanned_at, f.scanned_by,
      f.note, ${lastSeenOf(id, timeZone)}, ${lastLoan}, ${actionOf(chosen)}
    from ${findingsNow({ inventory: id, open: null })} f`.execute(trx)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from inventory_findings where inventory = ${id} and action is not null`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

function actionOf(chosen: Chosen): RawBuilder<unknown> {
  const cases = findingGroups.flatMap((group) => {
    const of = group === 'unknown' ? undefined : chosen[group]
    if (!of) return []
    const keyIn = (keys: readonly string[]) => sql`f.key in (select unnest(${[...keys]}::text[]))`
    const isChosen = of.only ? keyIn(of.only) : sql`not (${keyIn(of.except)})`
    return [sql`when f."group" = ${group} and ${isChosen} and ${isToBeDone[of.action]} then ${of.action}`]
  })
  return cases.length === 0 ? sql`null` : sql`case ${sql.join(cases, sql` `)} end`
}

/** Not asked of what is so already, or has no shelf to go to. */
const isToBeDone: Record<FindingAction, RawBuilder<unknown>> = {
  unavailable: sql`exists (select from copies c where c.id = f.copy and c.status = 'Disponible')`,
  move: sql`f.seen_location is not null`,
  withdraw: sql`true`,
  return: sql`true`,
  available: sql`true`,
  restore: sql`true`,
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
