import { sql } from 'kysely'

import { type Inventory, inventories } from '../../contract/inventories.ts'
import { membersOf, totalOf, collection, type Collection, type ListQuery } from '../../contract/list.ts'
import type { Db, Trx } from '../db/handles.ts'
import { ownColumns, type Source, source } from '../db/lists/source.ts'
import { notFound } from '../http/outcome.ts'
import { accountName } from '../library-facts/person-names.ts'
import { visibleInventories, isSiteOpen, type Visibility } from '../visibility/visibility.ts'
import { countExpected } from './counted-copies.ts'

const inventoryRows = (visibility: Visibility): Source<typeof inventories> =>
  source(inventories, {
    from: sql`inventories i join sites s on s.id = i.site join users u on u.id = i.user_id`,
    where: sql`i.deleted_at is null`,
    seen: visibleInventories(visibility),
    id: sql`i.id`,
    columns: {
      name: sql`i.name`,
      site: sql`i.site`,
      site_name: sql`s.name`,
      ...ownColumns('i', 'locations', 'categories', 'media', 'status'),
      // What is over is told as it was; of others, `countNow` tells them.
      expected: sql`coalesce(i.expected, 0)`,
      seen: sql`coalesce(i.seen, 0)`,
      scans: sql`(select count(*) from inventory_scans k where k.inventory = i.id and not k.taken_back)`,
      who: accountName('u'),
      ...ownColumns('i', 'created_at', 'ended_at', 'act'),
      left_alone: sql`case when i.status = 'applied' then (
        select count(*) from inventory_findings f where f.inventory = i.id and f.outcome = 'left') end`,
    },
    sorts: { name: sql`search_text(i.name)` },
  })

/** Those under way with their counts of now. */
async function countNow(db: Db | Trx, rows: readonly Inventory[]): Promise<Inventory[]> {
  const open = rows.filter((row) => !isOver(row)).map(({ id }) => id)
  const counts = await countExpected(db, open)
  return rows.map((row) => ({ ...row, ...counts.get(row.id) }))
}

export async function listInventories(
  db: Db,
  list: ListQuery,
  visibility: Visibility,
): Promise<Collection<Inventory>> {
  const found = await inventoryRows(visibility).list(db, list)
  return collection(await countNow(db, membersOf(found)), totalOf(found))
}

export async function findInventory(
  db: Db | Trx,
  id: number,
  visibility: Visibility,
): Promise<Inventory | null> {
  const found = await inventoryRows(visibility).find(db, id)
  const [counted] = await countNow(db, found ? [found] : [])
  return counted ?? null
}

export const noSuchInventory = notFound('Cet inventaire n’existe pas.')

/** Of a site open to the caller, locked until the transaction ends; null for any other. */
export async function lockInventory(trx: Trx, id: number, visibility: Visibility) {
  const found = await trx
    .selectFrom('inventories')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return found && isSiteOpen(visibility, found.site) ? found : null
}

export type Locked = NonNullable<Awaited<ReturnType<typeof lockInventory>>>

export const isOver = ({ status }: Pick<Inventory, 'status'>): boolean =>
  status === 'applied' || status === 'given_up'

/** Whether it is there and of a site open to the caller, without its counts. */
export async function lookFor(db: Db | Trx, id: number, visibility: Visibility): Promise<boolean> {
  const { rows } = await sql`
    select from inventories i where i.id = ${id} and i.deleted_at is null and ${visibleInventories(visibility)}`.execute(
    db,
  )
  return rows.length > 0
}
