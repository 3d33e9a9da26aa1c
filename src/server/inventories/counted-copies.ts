import { type RawBuilder, sql } from 'kysely'

type Id = number | RawBuilder<unknown>

/**
 * The copies c (of the references r) that inventory n expects on its shelves. What is on loan or on its way
 * counts as seen on the day it left.
 */
export const expectedOf = (inventory: Id): RawBuilder<unknown> => sql`
  from inventories n join copies c on c.site = n.site join "references" r on r.id = c.reference
  where n.id = ${inventory} and ${isExpected}`

/** Of a copy c of the reference r, before the inventory n. */
export const isExpected = sql`(c.deleted_at is null and c.site = n.site and c.status not in ('En Location', 'En transfert')
  and (n.locations = '{}' or c.location = any(n.locations))
  and (n.categories = '{}' or r.category = any(n.categories))
  and (n.media = '{}' or r.medium = any(n.media))) is true`

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
