import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type {
  getInventoryProgress as getInventoryProgressCall,
  inventories,
  Inventory,
  InventoryStatus,
  setInventoryStatus as setInventoryStatusCall,
} from '../../contract/inventories.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome, type Refused, violation } from '../http/outcome.ts'
import { accountName } from '../library-facts/person-names.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { expectedOf, isSeen } from './counted-copies.ts'
import { findInventory, isOver, lockInventory, lookFor, noSuchInventory } from './inventory-queries.ts'

type Scope = { site: number; locations: number[]; categories: number[]; media: number[] }

export async function addInventory(
  trx: Trx,
  { body }: VerbInput<typeof inventories.add>,
  exchange: Exchange,
): Promise<Outcome<Inventory>> {
  const refused = await scopeRefusal(trx, body, exchange)
  if (refused) return refused
  const at = exchange.now.toISOString()
  const { id } = await trx
    .insertInto('inventories')
    .values({ ...body, user_id: exchange.caller.user_id, created_at: at, date_update: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return journalChange(trx, exchange, { id, before: null, action: 'inventories.add' })
}

/** Its name and what it counts; its site only until something was scanned. */
export async function changeInventory(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof inventories.change>,
  exchange: Exchange,
): Promise<Outcome<Inventory>> {
  const kept = await lockInventory(trx, id, exchange.visibility)
  const before = kept && (await findInventory(trx, id, exchange.visibility))
  if (!before) return noSuchInventory
  if (isOver(before)) return over
  if (body.site !== undefined && body.site !== before.site) {
    const { rows } = await sql`select from inventory_scans where inventory = ${id} limit 1`.execute(trx)
    if (rows.length > 0) return violation('site', 'Des exemplaires y sont déjà comptés\u202f: le site reste.')
  }
  const refused = await scopeRefusal(
    trx,
    {
      site: body.site ?? before.site,
      locations: body.locations ?? before.locations,
      categories: body.categories ?? before.categories,
      media: body.media ?? before.media,
    },
    exchange,
  )
  if (refused) return refused
  if (Object.keys(body).length === 0) return done(before)
  await trx
    .updateTable('inventories')
    .set({ ...body, date_update: exchange.now.toISOString() })
    .where('id', '=', id)
    .execute()
  return journalChange(trx, exchange, { id, before, action: 'inventories.change' })
}

/** Pauses it, goes on with it, or gives it up: what was scanned stays. */
export async function setInventoryStatus(
  trx: Trx,
  { params: { id }, body: { status } }: VerbInput<typeof setInventoryStatusCall>,
  exchange: Exchange,
): Promise<Outcome<Inventory>> {
  const kept = await lockInventory(trx, id, exchange.visibility)
  const before = kept && (await findInventory(trx, id, exchange.visibility))
  if (!before) return noSuchInventory
  if (before.status === status) return done(before)
  if (isOver(before)) return over
  const at = exchange.now.toISOString()
  const ended =
    status === 'given_up'
      ? {
          ended_at: at,
          expected: before.expected,
          seen: before.seen,
          places: JSON.stringify(await readPlaces(trx, id)),
        }
      : {}
  await trx
    .updateTable('inventories')
    .set({ status, ...ended, date_update: at })
    .where('id', '=', id)
    .execute()
  return journalChange(trx, exchange, { id, before, action: actionOf[status] })
}

const actionOf = {
  open: 'inventories.resume',
  paused: 'inventories.pause',
  given_up: 'inventories.give_up',
} as const satisfies Partial<Record<InventoryStatus, string>>

/** Hidden with its scans; an applied one is kept with its act. */
export async function removeInventory(
  trx: Trx,
  { params: { id } }: VerbInput<typeof inventories.remove>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const kept = await lockInventory(trx, id, exchange.visibility)
  const before = kept && (await findInventory(trx, id, exchange.visibility))
  if (!before) return noSuchInventory
  if (before.status === 'applied') {
    return conflict('IN_USE', 'Cet inventaire est appliqué\u202f: son rapport est gardé.')
  }
  const at = exchange.now.toISOString()
  await trx.updateTable('inventories').set({ deleted_at: at, date_update: at }).where('id', '=', id).execute()
  await journal(trx, exchange, {
    action: 'inventories.remove',
    entity: 'inventories',
    entity_id: id,
    before,
    after: null,
  })
  return done(null)
}

export const over = conflict('ALREADY_DONE', 'Cet inventaire est terminé.')

type Changed = { id: number; before: Inventory | null; action: string }

async function journalChange(
  trx: Trx,
  exchange: Exchange,
  { id, before, action }: Changed,
): Promise<Outcome<Inventory>> {
  const after = await findInventory(trx, id, exchange.visibility)
  if (!after) throw new Error(`inventory ${id} is gone`)
  await journal(trx, exchange, { action, entity: 'inventories', entity_id: id, before, after })
  return done(after)
}

/** Why it cannot be of this site and these places, categories and media; or null. */
async function scopeRefusal(
  trx: Trx,
  { site, locations, categories, media }: Scope,
  { visibility }: Exchange,
): Promise<Refused | null> {
  const { rows } = await sql<Record<'site' | 'locations' | 'categories' | 'media', boolean>>`
    select exists (select from sites where id = ${site} and enabled and deleted_at is null) as site,
      ${areThere('locations', locations)} as locations,
      ${areThere('categories', categories)} as categories,
      ${areThere('media', media)} as media`.execute(trx)
  const [found] = rows
  if (!found?.site || !isSiteOpen(visibility, site)) return violation('site', 'Ce site n’existe pas.')
  if (!found.locations) return violation('locations', 'Un de ces emplacements n’existe pas.')
  if (!found.categories) return violation('categories', 'Une de ces catégories n’existe pas.')
  if (!found.media) return violation('media', 'Un de ces supports n’existe pas.')
  return null
}

const areThere = (table: 'locations' | 'categories' | 'media', ids: readonly number[]) => sql`not exists (
  select from unnest(${[...ids]}::int[]) asked
  where not exists (select from ${sql.table(table)} t where t.id = asked and t.deleted_at is null))`

type Progress = AnswerOf<typeof getInventoryProgressCall>

type ShelfProgress = Progress['locations'][number]

/** By the place where copies should be, as they are now. */
export async function readPlaces(db: Db | Trx, id: number): Promise<ShelfProgress[]> {
  const { rows } = await sql<ShelfProgress>`
    select counted.*, lo.label from (
      select c.location, count(*) as expected, count(*) filter (where ${isSeen(id)}) as seen
      ${expectedOf(id)} group by c.location) counted
    left join locations lo on lo.id = counted.location
    order by lo.id is null, search_text(lo.label), counted.location`.execute(db)
  return rows
}

/** What an inventory kept of its places when it ended, as what it found and changed is counted no more; null until then. */
async function keptPlaces(db: Db, id: number): Promise<ShelfProgress[] | null> {
  const { rows } = await sql<{
    places: ShelfProgress[] | null
  }>`select places from inventories where id = ${id}`.execute(db)
  return rows[0]?.places ?? null
}

/** By place, and by who scans on what device. */
export async function readProgress(
  db: Db,
  { params: { id } }: VerbInput<typeof getInventoryProgressCall>,
  { visibility }: Exchange,
): Promise<Outcome<Progress>> {
  if (!(await lookFor(db, id, visibility))) return noSuchInventory
  const [places, people] = await Promise.all([
    keptPlaces(db, id).then((kept) => kept ?? readPlaces(db, id)),
    sql<Progress['people'][number]>`
      select ${accountName('u')} as who, counted.device_id, coalesce(d.name, '') as device, counted.scans, counted.last_at from (
        select k.user_id, k.device_id, count(*) as scans, max(k.scanned_at) as last_at
        from inventory_scans k where k.inventory = ${id} and not k.taken_back
        group by k.user_id, k.device_id) counted
      join users u on u.id = counted.user_id
      left join devices d on d.device_id::text = counted.device_id
      order by counted.last_at desc, counted.user_id, counted.device_id`.execute(db),
  ])
  return done({ locations: places, people: people.rows })
}
