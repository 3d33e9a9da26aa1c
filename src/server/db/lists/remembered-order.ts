import { type RawBuilder, sql } from 'kysely'

import type { Direction } from '../../../contract/list.ts'
import type { Db } from '../handles.ts'
import { keyOf } from './planned-cost.ts'
import { describeRanking, type Places, placesOf, type Ranking } from './ranking.ts'
import { packIds, packNumbers, sortNumbers, unpackIds, unpackNumbers } from './sort-numbers.ts'
import { type Piece, piecesFor, piecesOf, within } from './table-pieces.ts'

/** Sorts as the field does: the row's own number, or the place of what it points at. */
export type SortNumber = RawBuilder<unknown> | { of: RawBuilder<unknown>; ranked: Ranking }

export type Ordered = {
  table: RawBuilder<unknown>
  id: RawBuilder<unknown>
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  terms: readonly { number: SortNumber; direction: Direction }[]
  idDirection: Direction
}

export type RememberedOrder = Int32Array

type Kept = { ids: Promise<RememberedOrder>; read: RememberedOrder | null; at: number }

/** Changes far from both ends of a list show no later than this. */
const keptMs = 60_000
const keptMost = 8_000_000

const known = new WeakMap<Db, Map<string, Kept>>()

/** The remembered order, unless it is too old or its list has grown or shrunk too much. */
export function recallOrder(db: Db, ordered: Ordered, total: number): RememberedOrder | null {
  const read = known.get(db)?.get(nameOf(db, ordered))
  if (!read?.read || performance.now() - read.at > keptMs) return null
  return Math.abs(read.read.length - total) > mostMoved ? null : read.read
}

const mostMoved = 100

/** Reads the order piece by piece, once for all who ask meanwhile, and remembers it for a while. */
export function learnOrder(db: Db, ordered: Ordered): Promise<RememberedOrder> {
  const orders = known.get(db) ?? new Map<string, Kept>()
  known.set(db, orders)
  const name = nameOf(db, ordered)
  const underWay = orders.get(name)
  if (underWay && underWay.read === null) return underWay.ids
  const kept: Kept = { ids: readOrder(db, ordered), read: null, at: performance.now() }
  orders.delete(name)
  orders.set(name, kept)
  kept.ids.then(
    (ids) => {
      kept.read = ids
      kept.at = performance.now()
      forgetOldest(orders)
    },
    () => orders.delete(name),
  )
  return kept.ids
}

export async function ordersLearnt(db: Db): Promise<void> {
  await Promise.allSettled([...(known.get(db)?.values() ?? [])].map(({ ids }) => ids))
}

function forgetOldest(orders: Map<string, Kept>): void {
  let held = 0
  for (const [name, { read, at }] of [...orders].reverse()) {
    held += read?.length ?? 0
    if (read && (held > keptMost || performance.now() - at > keptMs)) orders.delete(name)
  }
}

function nameOf(db: Db, { id, from, where, terms, idDirection }: Ordered): string {
  const numbers = terms.map(({ number, direction }) => {
    const words = 'of' in number ? sql`${number.of} in ${describeRanking(number.ranked)}` : number
    return sql`${words} ${sql.raw(direction)}`
  })
  return keyOf(db, sql`${id} ${from} ${where} ${sql.join(numbers)} ${sql.raw(idDirection)}`)
}

async function readOrder(db: Db, ordered: Ordered): Promise<RememberedOrder> {
  const { table, id, from, where, terms, idDirection } = ordered
  const rankings: (Places | null)[] = []
  for (const { number } of terms) rankings.push('of' in number ? await placesOf(db, number.ranked) : null)
  const columns = terms.map(({ number }, n) => ({
    as: sql.id(`n${n}`),
    value: 'of' in number ? number.of : number,
  }))
  const read = { ids: [] as Int32Array[], numbers: terms.map(() => [] as Float64Array[]) }
  const chosenIn = (piece: Piece) => sql`
    select ${sql.join([sql`${id} as id`, ...columns.map(({ as, value }) => sql`${value} as ${as}`)])}
    from ${from} where ${where} and ${within(id, piece)} order by ${id}`
  for (const piece of await piecesFor(db, await piecesOf(db, table), chosenIn)) {
    const { rows } = await sql<Record<string, Buffer>>`
      select ${sql.join([sql`${packIds(sql`id`)} as ids`, ...columns.map(({ as }) => sql`${packNumbers(as)} as ${as}`)])}
      from (${chosenIn(piece)}) chosen`.execute(db)
    const [row] = rows
    if (!row?.['ids']?.length) continue
    read.ids.push(unpackIds(row['ids']))
    for (const [n, places] of rankings.entries()) {
      const numbers = unpackNumbers(row[`n${n}`] ?? Buffer.of())
      read.numbers[n]?.push(places ? numbers.map((other) => places.get(other) ?? Infinity) : numbers)
    }
  }
  const ids = Int32Array.from(joined(read.ids))
  // Ids rise, and rows that are equal stay in that order.
  const byId = { numbers: Float64Array.from(ids), isRising: false }
  const sorted = await sortNumbers(ids.length, [
    ...terms.map(({ direction }, n) => ({
      numbers: joined(read.numbers[n] ?? []),
      isRising: direction === 'asc',
    })),
    ...(idDirection === 'desc' ? [byId] : []),
  ])
  return Int32Array.from(sorted, (place) => ids[place] ?? 0)
}

function joined(parts: readonly (Int32Array | Float64Array)[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
