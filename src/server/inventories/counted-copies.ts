import { type RawBuilder, sql } from 'kysely'

import type { Db, Trx } from '../db/handles.ts'

type Id = number | RawBuilder<unknown>

/**
 * The copies c (of the references r) that inventory n expects on its shelves. What is on loan or on its way
 * counts as seen on the day it left.
 */
export const expectedOf = (inventory: Id): RawBuilder<unknown> => sql`
  from inventories n join copies c on c.site = n.site join "references" r on r.id = c.reference
  where n.id = ${inventory} and ${isExpected}`

const isOnShelf = sql`c.deleted_at is null and c.status not in ('En Location', 'En transfert')`

const isInScope = sql`(c.site = n.site
  and (n.locations = '{}' or c.location = any(n.locations))
  and (n.categories = '{}' or r.category = any(n.categories))
  and (n.media = '{}' or r.medium = any(n.media))) is true`

/** Of a copy c of the reference r, before the inventory n. */
export const isExpected = sql`(${isOnShelf} and ${isInScope})`

/** Scans that count, by the copy: a label that nobody's copy had may since have been given to one. */
export const livingScans = (inventory: Id): RawBuilder<unknown> => sql`(
  select k.copy as found, k.* from inventory_scans k
  where k.inventory = ${inventory} and not k.taken_back and k.copy is not null
  union all
  select given.id, k.* from inventory_scans k
    join copies given on given.bar_code = k.bar_code and given.deleted_at is null
  where k.inventory = ${inventory} and not k.taken_back and k.copy is null)`

/** Whether the copy c was scanned in it. */
export const isSeen = (inventory: Id): RawBuilder<unknown> =>
  sql`c.id in (select living.found from ${livingScans(inventory)} living)`

/**
 * How many copies each of these inventories expects, and how many of them were scanned. The stock is counted once for all
 * of them, by what an inventory chooses.
 */
export async function countExpected(
  db: Db | Trx,
  inventories: readonly number[],
): Promise<Map<number, { expected: number; seen: number }>> {
  if (inventories.length === 0) return new Map()
  const ids = sql`${[...inventories]}::int[]`
  const { rows } = await sql<{ id: number; expected: number; seen: number }>`
    with stock as materialized (
      select c.site, c.location, r.category, r.medium, count(*) as copies
      from copies c join "references" r on r.id = c.reference
      where ${isOnShelf} and c.site in (select n.site from inventories n where n.id = any(${ids}))
      group by c.site, c.location, r.category, r.medium)
    select n.id, (
        select coalesce(sum(c.copies), 0)::integer
        from stock c cross join lateral (select c.category, c.medium) r where ${isInScope}) as expected,
      (select count(distinct c.id)
        from ${livingScans(sql`n.id`)} living join copies c on c.id = living.found
          join "references" r on r.id = c.reference where ${isExpected}) as seen
    from inventories n where n.id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}
