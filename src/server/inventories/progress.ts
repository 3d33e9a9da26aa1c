import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { getInventoryProgress as getInventoryProgressCall } from '../../contract/inventories.ts'
import type { Db, Trx } from '../db/handles.ts'
import { accountName } from '../library-facts/person-names.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { expectedOf, isSeen } from './counted-copies.ts'
import { lookFor, noSuchInventory } from './inventory-queries.ts'

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
