import { type RawBuilder, sql } from 'kysely'

import type { Direction, Filter, FilterValue, ListQuery } from '../../../contract/list.ts'
import type { Db } from '../handles.ts'

/**
 * `folded`: the column is kept folded; `foldedAs`: another one is that text folded. `within`: an indexed text
 * that has all of this one in it, or rows are lost. `isIndexed`: the column's own index finds whole values. `kept`: as the
 * column has what is typed.
 */
export type FilterColumn =
  | {
      column: RawBuilder<unknown>
      folded?: boolean
      within?: RawBuilder<unknown>
      isIndexed?: true
      foldedAs?: RawBuilder<unknown>
      kept?: (typed: FilterValue) => FilterValue
    }
  | { test: (filter: Filter) => RawBuilder<unknown> }

declare const inSight: unique symbol
/** Keeps out the rows a caller may not see; only server/visibility makes one, so no list is read without it. */
export type Visible = RawBuilder<unknown> & { readonly [inSight]: true }

export const whereOf = (
  seen: Visible,
  filters: readonly Filter[],
  columns: Record<string, FilterColumn>,
): RawBuilder<unknown> =>
  sql.join([seen, ...filters.map((filter) => conditionOf(filter, columns))], sql` and `)

function conditionOf(filter: Filter, columns: Record<string, FilterColumn>): RawBuilder<unknown> {
  const target = columns[filter.field] ?? columns[filter.field.split('.')[0] ?? '']
  if (!target) throw new Error(`filter ${filter.field} is in the contract and not in the query`)
  if ('test' in target) return target.test(filter)
  const { column, folded, within, isIndexed, foldedAs = sql`search_text(${column})` } = target
  const { operator, isText = false } = filter
  const value = target.kept && !Array.isArray(filter.value) ? target.kept(filter.value) : filter.value
  switch (operator) {
    case 'eq':
      return within && !isIndexed
        ? sql`${within} like ${pattern(value)} and ${column} = ${value}`
        : sql`${column} = ${value}`
    case 'gte':
      return sql`${column} >= ${value}`
    case 'lte':
      return sql`${column} <= ${value}`
    case 'nil':
      if (isText) return value ? sql`coalesce(${column}, '') = ''` : sql`coalesce(${column}, '') <> ''`
      return value ? sql`${column} is null` : sql`${column} is not null`
    case 'in':
      // The values go as one array, because each length of a list would be another statement.
      return Array.isArray(value) && value.length > 0 ? sql`${column} = any(${value})` : sql`false`
    case 'like':
      if (folded) return everyWord(column, value)
      return within
        ? sql`${within} like ${pattern(value)} and ${foldedAs} like ${pattern(value)}`
        : sql`${foldedAs} like ${pattern(value)}`
  }
}

/** Compares an instant with a day of the library, from its first moment to the next day's. */
export const onDay =
  (instant: RawBuilder<unknown>, timezone: string) =>
  ({ operator, value }: Filter): RawBuilder<unknown> => {
    const from = sql`(${value}::date::timestamp at time zone ${timezone})`
    const until = sql`((${value}::date + 1)::timestamp at time zone ${timezone})`
    switch (operator) {
      case 'gte':
        return sql`${instant} >= ${from}`
      case 'lte':
        return sql`${instant} < ${until}`
      case 'nil':
        return value ? sql`${instant} is null` : sql`${instant} is not null`
      default:
        return sql`${instant} >= ${from} and ${instant} < ${until}`
    }
  }

/** Finds texts with every word typed, in any order: « dupont mar » finds Marie Dupont. */
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

export type ListSource<Row> = {
  columns: RawBuilder<Row>
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  seen: Visible
  filters: Record<string, FilterColumn>
  orders: Record<string, OrderColumn>
  id: RawBuilder<unknown>
}

export async function readPage<Row>(
  db: Db,
  list: ListQuery,
  { columns, from, where, seen, filters, orders, id }: ListSource<Row>,
): Promise<{ rows: Row[]; total: number }> {
  const chosen = sql`from ${from} where ${where} and ${whereOf(seen, list.filters, filters)}`
  const [page, counted] = await Promise.all([
    sql<Row>`
      select ${columns} ${chosen} ${orderOf(list, orders, id)}
      limit ${list.limit} offset ${(list.page - 1) * list.limit}`.execute(db),
    sql<{ total: number }>`select count(*) as total ${chosen}`.execute(db),
  ])
  return { rows: page.rows, total: counted.rows[0]?.total ?? 0 }
}

/** Whether a column holds one of these sites; null stands for every site, and for none. */
export const atSites = (column: RawBuilder<unknown>, sites: readonly number[] | null): RawBuilder<unknown> =>
  sites === null ? sql`true` : sql`${column} = any(${[...sites]}::int[])`

const pattern = (value: FilterValue | FilterValue[]) =>
  sql`'%' || search_text(${String(value).replace(/[\\%_]/g, '\\$&')}) || '%'`

/** One id is compared by itself, because a list of unknown length is planned anew at each call. */
export const amongIds = (column: RawBuilder<unknown>, ids: readonly number[]): RawBuilder<unknown> =>
  ids.length === 1 ? sql`${column} = ${ids[0]}` : sql`${column} = any(${ids}::int[])`

/** Names folded once each: `offset 0` keeps the planner from folding them once a row. */
export const foldedNames = (table: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select id, search_text(name) as name from ${table} offset 0)`

/** What a field sorts by; only `nullable` ones ask for « nulls last », which an index may not have. */
export type OrderColumn = RawBuilder<unknown> | { nullable: RawBuilder<unknown> }

/** The order ends with the id, so that pages never overlap. */
export function orderOf(
  { order }: Pick<ListQuery, 'order'>,
  orders: Record<string, OrderColumn>,
  idColumn: RawBuilder<unknown>,
  isFromEnd = false,
): RawBuilder<unknown> {
  const terms = order.map(({ field, direction }) => {
    const column = orders[field]
    if (!column) throw new Error(`order ${field} is in the contract and not in the query`)
    const [ordered, isNullable] = 'nullable' in column ? [column.nullable, true] : [column, false]
    const [towards, empty] = isFromEnd ? [flipped[direction], 'first'] : [direction, 'last']
    return sql`${ordered} ${sql.raw(isNullable ? `${towards} nulls ${empty}` : towards)}`
  })
  const last = lastDirection({ order })
  return sql`order by ${sql.join([...terms, sql`${idColumn} ${sql.raw(isFromEnd ? flipped[last] : last)}`])}`
}

const flipped = { asc: 'desc', desc: 'asc' } as const

export const lastDirection = ({ order }: Pick<ListQuery, 'order'>): Direction =>
  order.at(-1)?.direction ?? 'asc'
