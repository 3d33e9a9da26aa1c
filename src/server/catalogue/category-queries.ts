import { type RawBuilder, sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { listCategories as listCategoriesCall } from '../../contract/catalogue.ts'
import type { ListQuery } from '../../contract/list.ts'
import type { Db } from '../db/environment.ts'
import { type FilterColumn, pageOf, whereOf } from '../db/list-sql.ts'

type Categories = AnswerOf<typeof listCategoriesCall>

const filterColumns: Record<string, FilterColumn> = {
  id: { column: sql`cat.id` },
  name: { column: sql`cat.name` },
}

const orderColumns: Record<string, RawBuilder<unknown>> = {
  name: sql`search_text(cat.name)`,
  id: sql`cat.id`,
}

/** One page of the categories, each with how many references it has. */
export async function listCategories(db: Db, list: ListQuery): Promise<Categories> {
  const where = sql`cat.deleted_at is null and ${whereOf(list.filters, filterColumns)}`
  const [page, total] = await Promise.all([
    sql<{ id: number; name: string; ref_count: number; date_update: string }>`
      select cat.id, cat.name, coalesce(counted.ref_count, 0) as ref_count, cat.date_update
      from categories cat
      left join (
        select r.category, count(*) as ref_count from "references" r where r.deleted_at is null group by r.category
      ) counted on counted.category = cat.id
      where ${where} ${pageOf(list, orderColumns, sql`cat.id`)}`.execute(db),
    sql<{ total: number }>`select count(*) as total from categories cat where ${where}`.execute(db),
  ])
  return {
    'hydra:member': page.rows.map((row) => ({
      '@id': `/api/categories/${row.id}`,
      '@type': 'Category',
      ...row,
    })),
    'hydra:totalItems': total.rows[0]?.total ?? 0,
  }
}
