import { type RawBuilder, sql } from 'kysely'

import type { Filter, FilterValue, ListQuery } from '../../contract/list.ts'
import type { Db } from './environment.ts'

/** How one filter of a collection reads in SQL; columns are compared as they are, `search` columns hold text already folded. */
export type FilterColumn =
  { column: RawBuilder<unknown>; folded?: boolean } | { test: (filter: Filter) => RawBuilder<unknown> }

/** `where` of a collection's filters; `true` when there are none. */
export function whereOf(
  filters: readonly Filter[],
  columns: Record<string, FilterColumn>,
): RawBuilder<unknown> {
  if (filters.length === 0) return sql`true`
  return sql.join(
    filters.map((filter) => conditionOf(filter, columns)),
    sql` and `,
  )
}

function conditionOf(filter: Filter, columns: Record<string, FilterColumn>): RawBuilder<unknown> {
  const target = columns[filter.field]
  if (!target) throw new Error(`filter ${filter.field} is in the contract and not in the query`)
  if ('test' in target) return target.test(filter)
  const { column, folded } = target
  const { operator, value, isText = false } = filter
  switch (operator) {
    case 'eq':
      return sql`${column} = ${value}`
    case 'gte':
      return sql`${column} >= ${value}`
    case 'lte':
      return sql`${column} <= ${value}`
    case 'nil':
      if (isText) return value ? sql`coalesce(${column}, '') = ''` : sql`coalesce(${column}, '') <> ''`
      return value ? sql`${column} is null` : sql`${column} is not null`
    case 'in':
      return Array.isArray(value) && value.length > 0 ? sql`${column} in (${sql.join(value)})` : sql`false`
    case 'like':
      return folded ? everyWord(column, value) : sql`search_text(${column}) like ${pattern(value)}`
  }
}

/** Every word typed must be found, in any order: « dupont mar » finds Marie Dupont. */
export function everyWord(
  column: RawBuilder<unknown>,
  value: FilterValue | FilterValue[],
): RawBuilder<unknown> {
  const words = String(value).trim().split(/\s+/)
  return sql.join(
    words.map((word) => sql`${column} like ${pattern(word)}`),
    sql` and `,
  )
}

/** What a collection is read from: its rows, what its filters and orders look at, and the id that ends every order. */
export type ListSource<Row> = {
  columns: RawBuilder<Row>
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  filters: Record<string, FilterColumn>
  orders: Record<string, OrderColumn>
  id: RawBuilder<unknown>
}

/** One page of a collection, and how many rows it has in all. */
export async function readPage<Row>(
  db: Db,
  list: ListQuery,
  { columns, from, where, filters, orders, id }: ListSource<Row>,
): Promise<{ rows: Row[]; total: number }> {
  const chosen = sql`from ${from} where ${where} and ${whereOf(list.filters, filters)}`
  const [page, counted] = await Promise.all([
    sql<Row>`select ${columns} ${chosen} ${pageOf(list, orders, id)}`.execute(db),
    sql<{ total: number }>`select count(*) as total ${chosen}`.execute(db),
  ])
  return { rows: page.rows, total: counted.rows[0]?.total ?? 0 }
}

/** Whether a column holds one of these sites (null: every site, and also none). */
export const atSites = (column: RawBuilder<unknown>, sites: readonly number[] | null): RawBuilder<unknown> =>
  sites === null ? sql`true` : sql`${column} = any(${[...sites]}::int[])`

const pattern = (value: FilterValue | FilterValue[]) =>
  sql`'%' || search_text(${String(value).replace(/[\\%_]/g, '\\$&')}) || '%'`

/** What a field sorts by. One that may be empty says so: empty comes last either way, which an index of a full column need not know. */
export type OrderColumn = RawBuilder<unknown> | { nullable: RawBuilder<unknown> }

/** `order by … limit … offset …`, ended by the id so that pages never overlap. */
export function pageOf(list: ListQuery, orders: Record<string, OrderColumn>, idColumn: RawBuilder<unknown>) {
  const terms = list.order.map(({ field, direction }) => {
    const column = orders[field]
    if (!column) throw new Error(`order ${field} is in the contract and not in the query`)
    const [ordered, isNullable] = 'nullable' in column ? [column.nullable, true] : [column, false]
    if (direction === 'asc') return sql`${ordered} asc`
    return isNullable ? sql`${ordered} desc nulls last` : sql`${ordered} desc`
  })
  const last = list.order.at(-1)?.direction === 'desc' ? sql`${idColumn} desc` : sql`${idColumn} asc`
  return sql`order by ${sql.join([...terms, last])} limit ${list.limit} offset ${(list.page - 1) * list.limit}`
}
