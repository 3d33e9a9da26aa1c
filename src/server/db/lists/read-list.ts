import { type RawBuilder, sql } from 'kysely'

import { collection, type Collection, type ListQuery } from '../../../contract/list.ts'
import type { Db } from '../handles.ts'
import { lastDirection, type OrderColumn, orderOf } from './list-sql.ts'
import { budgetOf, cheap, isBounded, plannedCost, ranOutOfTime } from './planned-cost.ts'
import {
  learnOrder,
  type Ordered,
  recallOrder,
  type RememberedOrder,
  type SortNumber,
} from './remembered-order.ts'
import { type Piece, piecesFor, piecesOf, within } from './table-pieces.ts'

export type LongOrder = { sorts: OrderColumn; number: SortNumber }

type Term = { field: string }

export type LongList = {
  table: RawBuilder<unknown>
  id: RawBuilder<unknown>
  /** The table, joined with what these filters and this order look at. */
  from: (filters: readonly Term[], order: readonly Term[]) => RawBuilder<unknown>
  where: RawBuilder<unknown>
  orders: Record<string, LongOrder>
  /** Replaces the count of its rows, where one is known. */
  total?: (() => Promise<number>) | null
  /** Finds the rows from some place on, and how many come before, so that few are skipped. */
  landmark?: ((way: { isFromEnd: boolean; skipped: number }) => Promise<Landmark | null>) | null
}
type Landmark = { onwards: RawBuilder<unknown>; before: number }

export type ReadInTurn = <T>(read: (db: Db) => Promise<T>) => Promise<T>

/** Where a page stands: rows before it, or behind it where these are fewer. */
type PagePlace = { isFromEnd: boolean; skipped: number; rows: number; offset: number }

const fewSkipped = 2000
/** Read beyond the page, in place of rows that have left since the order was remembered. */
const spare = 25

/** One page's ids and the list's total; a far or slow page comes from the list's remembered order. */
export async function readIds(
  db: Db,
  list: ListQuery,
  long: LongList,
): Promise<{ ids: number[]; total: number }> {
  if (list.page === 1 && !isBounded(db)) {
    const [ids, total] = await Promise.all([
      readAt(db, list, long, { place: firstPage(list), total: null }),
      countRows(db, list, long),
    ])
    return { ids, total }
  }
  const total = await countRows(db, list, long)
  const place = placeOf(list, total)
  return { ids: place.rows > 0 ? await readAt(db, list, long, { place, total }) : [], total }
}

/** Finds and reads a list's first page in one statement; one page's rows need no count. */
export async function readFew<T>(
  db: Db,
  list: ListQuery,
  long: LongList,
  read: (ids: RawBuilder<unknown>) => Promise<T[]>,
): Promise<Collection<T>> {
  const found = await read(sql`array(${plainPage(list, long, firstPage(list))})`)
  const total = found.length < list.limit ? found.length : await countRows(db, list, long)
  return collection(found, total)
}

type Wanted = { place: PagePlace; total: number | null }

async function readAt(db: Db, list: ListQuery, long: LongList, { place, total }: Wanted): Promise<number[]> {
  const ordered = orderedOf(list, long)
  const isFar = place.skipped > fewSkipped
  const landmark = isFar && long.landmark ? await long.landmark(place) : null
  const skipped = place.skipped - (landmark?.before ?? 0)
  if (landmark && skipped <= fewSkipped) {
    const where = sql`${long.where} and ${landmark.onwards}`
    return readPlain(db, list, { ...long, where }, { ...place, skipped })
  }
  const isSmall = async () => (await piecesOf(db, long.table)).length <= 1
  if (!(isFar || isBounded(db)) || (await isSmall())) {
    return readPlain(db, list, long, place).catch(async (error: unknown) => {
      // What one statement does not find in time is found in pieces.
      if (!ranOutOfTime(error)) throw error
      return readFrom(db, list, long, { remembered: await learnOrder(db, ordered), place, total })
    })
  }
  const known = total === null ? null : recallOrder(db, ordered, total)
  if (known && isFar) return readFrom(db, list, long, { remembered: known, place, total })
  const cost = await plannedCost(db, plainPage(list, long, place))
  // The planner may underestimate the rows to be skipped.
  if (cost <= budgetOf(db) / (isFar && isBounded(db) ? 4 : 1)) {
    // The order is learnt for the next page, which finds its rows faster.
    if (isFar && cost > cheap) learnOrder(db, ordered).catch(() => undefined)
    return readPlain(db, list, long, place)
  }
  return readFrom(db, list, long, { remembered: known ?? (await learnOrder(db, ordered)), place, total })
}

const firstPage = ({ limit }: ListQuery): PagePlace => ({
  isFromEnd: false,
  skipped: 0,
  rows: limit,
  offset: 0,
})

function placeOf({ page, limit }: ListQuery, total: number): PagePlace {
  const offset = (page - 1) * limit
  const rows = Math.min(limit, total - offset)
  const behind = total - offset - rows
  return behind < offset
    ? { isFromEnd: true, skipped: behind, rows, offset }
    : { isFromEnd: false, skipped: offset, rows, offset }
}

const sortsOf = ({ orders }: LongList): Record<string, OrderColumn> =>
  Object.fromEntries(Object.entries(orders).map(([field, { sorts }]) => [field, sorts]))

const plainPage = (list: ListQuery, long: LongList, { isFromEnd, skipped, rows }: PagePlace) => sql<{
  id: number
}>`
  select ${long.id} as id from ${long.from(list.filters, list.order)} where ${long.where}
  ${orderOf(list, sortsOf(long), long.id, isFromEnd)} limit ${rows} offset ${skipped}`

async function readPlain(db: Db, list: ListQuery, long: LongList, place: PagePlace): Promise<number[]> {
  const { rows } = await plainPage(list, long, place).execute(db)
  const ids = rows.map(({ id }) => id)
  return place.isFromEnd ? ids.reverse() : ids
}

/** The page's ids from the remembered order, without those that left the list since. */
async function readFrom(
  db: Db,
  list: ListQuery,
  long: LongList,
  { remembered, place, total }: Wanted & { remembered: RememberedOrder },
): Promise<number[]> {
  // New rows move one end of the order, so places are counted from the other.
  const start = Math.max(
    0,
    place.isFromEnd && total !== null ? remembered.length - (total - place.offset) : place.offset,
  )
  const stood = Array.from(remembered.subarray(start, start + place.rows + spare))
  const { rows } = await sql<{ id: number }>`
    select ${long.id} as id from ${long.from(list.filters, list.order)}
    where ${long.where} and ${long.id} = any(${stood}::int[])
    ${orderOf(list, sortsOf(long), long.id)} limit ${place.rows}`.execute(db)
  return rows.map(({ id }) => id)
}

const rowsAtOnce = 100

/** All ids of a list in its order, hundreds at a time; what leaves the list before its turn is left out. */
export async function* everyId(
  reads: ReadInTurn,
  list: Pick<ListQuery, 'filters' | 'order'>,
  long: LongList,
): AsyncGenerator<number[]> {
  const order = await reads((db) => learnOrder(db, orderedOf(list, long)))
  for (let at = 0; at < order.length; at += rowsAtOnce) {
    const stood = Array.from(order.subarray(at, at + rowsAtOnce))
    const { rows } = await reads((db) =>
      sql<{ id: number }>`
        select ${long.id} as id from ${long.from(list.filters, [])}
        where ${long.where} and ${long.id} = any(${stood}::int[])`.execute(db),
    )
    const listed = new Set(rows.map(({ id }) => id))
    yield stood.filter((id) => listed.has(id))
  }
}

async function countRows(db: Db, list: ListQuery, long: LongList): Promise<number> {
  if (long.total) return long.total()
  const from = long.from(list.filters, [])
  const counting = (where: RawBuilder<unknown>) =>
    sql<{ total: number }>`select count(*) as total from ${from} where ${where}`
  const count = async (where: RawBuilder<unknown>) => (await counting(where).execute(db)).rows[0]?.total ?? 0
  const inPieces = async () => {
    const whereIn = (piece: Piece) => sql`${long.where} and ${within(long.id, piece)}`
    const pieces = await piecesFor(db, await piecesOf(db, long.table), (one) => counting(whereIn(one)))
    let total = 0
    for (const piece of pieces) total += await count(whereIn(piece))
    return total
  }
  if (!isBounded(db)) {
    return count(long.where).catch((error: unknown) => {
      if (!ranOutOfTime(error)) throw error
      return inPieces()
    })
  }
  const isSmall = (await piecesOf(db, long.table)).length <= 1
  return isSmall || (await plannedCost(db, counting(long.where))) <= budgetOf(db)
    ? count(long.where)
    : inPieces()
}

function orderedOf(
  list: Pick<ListQuery, 'filters' | 'order'>,
  { table, id, from, where, orders }: LongList,
): Ordered {
  const terms = list.order.map(({ field, direction }) => {
    const order = orders[field]
    if (!order) throw new Error(`order ${field} is in the contract and not in the query`)
    return { number: order.number, direction }
  })
  return { table, id, from: from(list.filters, []), where, terms, idDirection: lastDirection(list) }
}
