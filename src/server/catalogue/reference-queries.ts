import { type RawBuilder, sql } from 'kysely'

import type { Copy, Reference } from '../../contract/catalogue.ts'
import type { Collection, Filter, ListQuery } from '../../contract/list.ts'
import type { Db } from '../db/environment.ts'
import { atSites, type FilterColumn, type OrderColumn, pageOf, whereOf } from '../db/list-sql.ts'
import { copiesOfReferences, type CopyReader } from './copy-queries.ts'

/** A calendar day of the library against an instant: from its first moment to the next day's. */
function createdOn({ operator, value }: Filter, timezone: string): RawBuilder<unknown> {
  const from = sql`(${value}::date::timestamp at time zone ${timezone})`
  const until = sql`((${value}::date + 1)::timestamp at time zone ${timezone})`
  switch (operator) {
    case 'gte':
      return sql`r.created_at >= ${from}`
    case 'lte':
      return sql`r.created_at < ${until}`
    case 'nil':
      return value ? sql`r.created_at is null` : sql`r.created_at is not null`
    default:
      return sql`r.created_at >= ${from} and r.created_at < ${until}`
  }
}

const filterColumns = (timezone: string): Record<string, FilterColumn> => ({
  id: { column: sql`r.id` },
  searchname: { column: sql`r.search`, folded: true },
  name: { column: sql`r.name` },
  code: { column: sql`r.code` },
  category: { column: sql`r.category` },
  medium: { column: sql`r.medium` },
  type: { column: sql`r.type` },
  new_at: { column: sql`r.new_at` },
  created_at: { test: (filter) => createdOn(filter, timezone) },
})

const orderColumns: Record<string, OrderColumn> = {
  created_at: sql`r.created_at`,
  // Begins with the folded name.
  name: sql`r.search`,
  code: { nullable: sql`r.code` },
  category: { nullable: sql`(select search_text(cat.name) from categories cat where cat.id = r.category)` },
  medium: { nullable: sql`(select search_text(m.name) from media m where m.id = r.medium)` },
  price: sql`r.price`,
  id: sql`r.id`,
}

/** Copies are counted and shown at the sites. */
export type ReferenceScope = CopyReader & {
  /** IANA name, to read days as instants. */
  timezone: string
}

/** One page of the references; with `with_copies`, each with its copies at the sites. */
export async function listReferences(
  db: Db,
  list: ListQuery,
  withCopies: boolean,
  { timezone, ...reader }: ReferenceScope,
): Promise<Collection<Reference>> {
  const where = sql`r.deleted_at is null and ${whereOf(list.filters, filterColumns(timezone))}`
  const [page, total] = await Promise.all([
    sql<{ id: number }>`
      select r.id from "references" r where ${where} ${pageOf(list, orderColumns, sql`r.id`)}`.execute(db),
    sql<{ total: number }>`select count(*) as total from "references" r where ${where}`.execute(db),
  ])
  const ids = page.rows.map(({ id }) => id)
  return {
    'hydra:member': await readReferences(db, ids, withCopies, reader),
    'hydra:totalItems': total.rows[0]?.total ?? 0,
  }
}

/** A reference that is not deleted, with its copies at the sites, or null. */
export async function findReference(db: Db, id: number, reader: CopyReader): Promise<Reference | null> {
  const [reference] = await readReferences(db, [id], true, reader)
  return reference ?? null
}

async function readReferences(
  db: Db,
  ids: number[],
  withCopies: boolean,
  reader: CopyReader,
): Promise<Reference[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Omit<Reference, '@id' | '@type' | 'copies'>>`
    select r.id, r.code, r.name, r.description, r.short_description,
      case when cat.id is not null then json_build_object('id', cat.id, 'name', cat.name) end as category,
      case when m.id is not null then json_build_object('id', m.id, 'name', m.name) end as medium,
      r.price, r.type, r.deposit_check, r.new_at, r.image_path, r.keywords, r.tags, r.authors, r.reference_data,
      held.copies_count, held.available_count, r.created_at
    from "references" r
    left join categories cat on cat.id = r.category
    left join media m on m.id = r.medium
    cross join lateral (
      select count(*) as copies_count, count(*) filter (where c.status = 'Disponible') as available_count
      from copies c
      where c.reference = r.id and c.deleted_at is null and ${atSites(sql`c.site`, reader.sites)}) held
    where r.id = any(${ids}::int[]) and r.deleted_at is null
    order by array_position(${ids}::int[], r.id)`.execute(db)
  const copies = withCopies ? await copiesByReference(db, ids, reader) : null
  return rows.map((row) => ({
    '@id': `/api/references/${row.id}`,
    '@type': 'Reference',
    ...row,
    ...(copies ? { copies: copies.get(row.id) ?? [] } : {}),
  }))
}

async function copiesByReference(db: Db, ids: number[], reader: CopyReader): Promise<Map<number, Copy[]>> {
  const byReference = new Map<number, Copy[]>()
  for (const copy of await copiesOfReferences(db, ids, reader)) {
    byReference.set(copy.reference, [...(byReference.get(copy.reference) ?? []), copy])
  }
  return byReference
}
