import { type RawBuilder, sql } from 'kysely'

import { collection, type Collection, type ListQuery } from '../../../contract/list.ts'
import type { ItemOf, Listed as AnyListed } from '../../../contract/resource.ts'
import type { Db, Trx } from '../handles.ts'
import {
  type FilterColumn,
  type Visible,
  type ListSource,
  type OrderColumn,
  orderOf,
  readPage,
} from './list-sql.ts'

type Column = RawBuilder<unknown>
type Listed = Pick<AnyListed, 'member' | 'path' | 'type'> & {
  list: { list: { filters: object; orders: readonly string[] } }
}

type Field<R extends Listed> = Exclude<keyof ItemOf<R>, '@id' | '@type' | 'id'> & string
type Filter<R extends Listed> = keyof R['list']['list']['filters'] & string
type Order<R extends Listed> = R['list']['list']['orders'][number]

/** Demands a column for each name that has none of its own, and allows another for the rest. */
type Named<Part extends string, Names extends string, Columns extends string, Value> = [
  Exclude<Names, Columns | 'id'>,
] extends [never]
  ? { [P in Part]?: Partial<Record<Names, Value>> }
  : { [P in Part]: Partial<Record<Names, Value>> & Record<Exclude<Names, Columns | 'id'>, Value> }

/** How a resource reads in SQL; the compiler demands a column for every field, filter and order. */
export type SourceOf<R extends Listed> = {
  from: Column
  where: Column
  seen: Visible
  id: Column
  columns: Record<Field<R>, Column>
} & Named<'filters', Filter<R>, Field<R>, FilterColumn> &
  Named<'sorts', Order<R>, Field<R>, OrderColumn>

export type Source<R extends Listed> = {
  list(db: Db, list: ListQuery): Promise<Collection<ItemOf<R>>>
  find(db: Db | Trx, id: number): Promise<ItemOf<R> | null>
  /** All that meet a condition as well, in the default order; for what is known to be few. */
  every(db: Db | Trx, also: Column): Promise<ItemOf<R>[]>
}

/** Columns that are named as the fields they are read for. */
export const ownColumns = <Name extends string>(
  table: string,
  ...names: readonly Name[]
): Record<Name, Column> =>
  Object.fromEntries(names.map((name) => [name, sql.ref(`${table}.${name}`)])) as Record<Name, Column>

export function source<R extends Listed>(resource: R, of: NoInfer<SourceOf<R>>): Source<R> {
  const columns: Record<string, Column> = of.columns
  const { filters = {}, sorts = {} } = of as { filters?: object; sorts?: object }
  const { from, where, seen, id } = of
  const selected = Object.entries(columns).map(([name, column]) => sql`${column} as ${sql.ref(name)}`)
  const read: ListSource<Row> = {
    columns: sql<Row>`${id} as id, ${sql.join(selected)}`,
    from,
    where,
    seen,
    id,
    filters: { ...mapped(columns, (column) => ({ column })), id: { column: id }, ...filters },
    orders: { ...columns, id, ...sorts },
  }
  const memberOf = (row: Row) =>
    ({ '@id': `${resource.path}/${row.id}`, '@type': resource.type, ...row }) as unknown as ItemOf<R>
  return {
    async list(db, list) {
      const { rows, total } = await readPage(db, list, read)
      return collection(rows.map(memberOf), total)
    },
    async find(db, wanted) {
      const { rows } = await sql<Row>`
        select ${read.columns} from ${from} where ${where} and ${seen} and ${id} = ${wanted}`.execute(db)
      return rows[0] ? memberOf(rows[0]) : null
    },
    async every(db, also) {
      const { orders } = resource.list.list
      const order = [{ field: orders[0] ?? 'id', direction: 'asc' as const }]
      const { rows } = await sql<Row>`
        select ${read.columns} from ${from} where ${where} and ${seen} and ${also}
        ${orderOf({ order }, read.orders, id)}`.execute(db)
      return rows.map(memberOf)
    },
  }
}

type Row = { id: number }

const mapped = <T, U>(record: Record<string, T>, to: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]))
