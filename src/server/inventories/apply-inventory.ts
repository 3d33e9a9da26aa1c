import { type RawBuilder, sql } from 'kysely'

import type { Act } from '../../contract/acts.ts'
import type { applyInventory as applyInventoryCall } from '../../contract/inventories.ts'
import { rightOfAction } from '../../domain/finding-rights.ts'
import { type FindingAction, findingGroups } from '../../domain/inventory.ts'
import { findAct } from '../acts/act-queries.ts'
import type { Trx } from '../db/handles.ts'
import { openAct } from '../http/act.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, forbidden, type Outcome } from '../http/outcome.ts'
import { startJob } from '../jobs/job.ts'
import { over } from './change-inventory.ts'
import { findingsNow, lastLoan, lastSeenOf } from './findings.ts'
import { findInventory, isOver, lockInventory, noSuchInventory } from './inventory-queries.ts'
import { readPlaces } from './progress.ts'

/** Ends the inventory with what it found, and has a job do what was chosen, as one act. */
export async function applyInventory(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof applyInventoryCall>,
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

type Chosen = VerbInput<typeof applyInventoryCall>['body']

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
