import { type RawBuilder, sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { collection, type ListQuery } from '../../contract/list.ts'
import type { CartLine, listCart as listCartCall } from '../../contract/weeding.ts'
import type { WeedingReason } from '../../domain/weeding.ts'
import { copiesMatching } from '../catalogue/copy-queries.ts'
import type { Db, Trx } from '../db/handles.ts'
import { type FilterColumn, type OrderColumn, readPage } from '../db/lists/list-sql.ts'
import { accountName } from '../library-facts/person-names.ts'
import { visibleCopies, type Visibility } from '../visibility/visibility.ts'
import { isInStock, stop, weedingFacts } from './weeding-facts.ts'

/** The cart: what is chosen and still there. A copy that moves to another site goes over to that site's. */
export const cart: RawBuilder<unknown> = sql`weeding_lines k join copies c on c.id = k.copy and ${isInStock}
  join "references" r on r.id = c.reference`
export const isInCart = sql`k.weeding is null`

const filters: Record<string, FilterColumn> = {
  id: { column: sql`c.id` },
  searchname: { test: ({ value }) => copiesMatching(value) },
  stopped: { test: ({ value }) => (value ? sql`${stop} is not null` : sql`${stop} is null`) },
}

const orders: Record<string, OrderColumn> = {
  added_at: sql`k.added_at`,
  name: sql`r.sort_name`,
  bar_code: sql`c.bar_code`,
  id: sql`c.id`,
}

export async function listCart(
  db: Db,
  list: ListQuery,
  visibility: Visibility,
): Promise<AnswerOf<typeof listCartCall>> {
  const seen = visibleCopies(visibility)
  const [page, counted] = await Promise.all([
    readPage<{ id: number }>(db, list, {
      columns: sql`c.id`,
      from: cart,
      where: isInCart,
      seen,
      filters,
      orders,
      id: sql`c.id`,
    }),
    sql<{ stopped: number; value: string }>`
      select (count(*) filter (where ${stop} is not null))::integer as stopped,
        coalesce(sum(coalesce(c.price, r.price)), 0)::numeric(12, 2) as value
      from ${cart} where ${isInCart} and ${seen}`.execute(db),
  ])
  const lines = await linesOf(
    db,
    page.rows.map(({ id }) => id),
    visibility,
  )
  return {
    ...collection(lines, page.total),
    ...(counted.rows[0] ?? { stopped: 0, value: '0.00' }),
  }
}

type Added = {
  id: number
  why: string
  is_scanned: boolean
  reason: WeedingReason | null
  who: string
  added_at: string
}

/** The lines of these copies of the cart, in their order. */
export async function linesOf(
  db: Db | Trx,
  ids: readonly number[],
  visibility: Visibility,
): Promise<CartLine[]> {
  const facts = await weedingFacts(db, ids, visibility)
  const { rows } = await sql<Added>`
    select k.copy as id, k.why, k.is_scanned, k.reason, ${accountName('u')} as who, k.added_at
    from weeding_lines k join users u on u.id = k.added_by
    where ${isInCart} and k.copy = any(${[...ids]}::int[])`.execute(db)
  const added = new Map(rows.map((row) => [row.id, row]))
  return facts.flatMap((one) => {
    const line = added.get(one.id)
    return line
      ? [{ '@id': `/api/weeding/cart/${one.id}`, '@type': 'WeedingLine' as const, ...one, ...line }]
      : []
  })
}
