import { type RawBuilder, sql } from 'kysely'

import type { Db } from '../handles.ts'
import { keyOf } from './planned-cost.ts'
import { packIds, unpackIds } from './sort-numbers.ts'
import { piecesOf, within } from './table-pieces.ts'

/** Gives rows numbers that sort as an indexed key of theirs, or as the rows they point at. */
export type Ranking = {
  table: RawBuilder<unknown>
} & ({ by: RawBuilder<unknown> } | { to: RawBuilder<unknown>; of: Ranking })

export type Places = ReadonlyMap<number, number>

const chunkRows = 10_000
const keptMs = 600_000

const known = new WeakMap<Db, Map<string, { places: Promise<Places>; at: number }>>()

/** Read in chunks and kept for minutes, because titles and names hardly change. */
export function placesOf(db: Db, ranking: Ranking): Promise<Places> {
  const rankings = known.get(db) ?? new Map<string, { places: Promise<Places>; at: number }>()
  known.set(db, rankings)
  const key = keyOf(db, describeRanking(ranking))
  const found = rankings.get(key)
  if (found && performance.now() - found.at < keptMs) return found.places
  const places = 'by' in ranking ? byKey(db, ranking) : through(db, ranking)
  rankings.set(key, { places, at: performance.now() })
  places.catch(() => rankings.delete(key))
  return places
}

export function describeRanking(ranking: Ranking): RawBuilder<unknown> {
  return 'by' in ranking
    ? sql`${ranking.table} by ${ranking.by}`
    : sql`${ranking.table} to ${ranking.to} of ${describeRanking(ranking.of)}`
}

type Chunk = { ids: Buffer; isnew: Buffer; last: string | null }

async function byKey(db: Db, { table, by }: Extract<Ranking, { by: unknown }>): Promise<Places> {
  const places = new Map<number, number>()
  let last = null as { id: number; key: string } | null
  for (let place = 0; ;) {
    const after: RawBuilder<unknown> = last
      ? sql`(${by}, id) > (${last.key}, ${last.id})`
      : sql`${by} is not null`
    const reading = sql<Chunk>`
      select ${packIds(sql`id`)} as ids, ${packIds(sql`isnew::int`)} as isnew, max(key) as last
      from (
        select id, ${by} as key, ${by} is distinct from lag(${by}, 1, ${last?.key ?? null}) over (order by ${by}, id) as isnew
        from ${table} where ${after} order by ${by}, id limit ${chunkRows}) chunk`
    const [chunk] = (await reading.execute(db)).rows
    const ids = unpackIds(chunk?.ids ?? Buffer.of())
    const isNew = unpackIds(chunk?.isnew ?? Buffer.of())
    for (const [at, id] of ids.entries()) places.set(id, (place += isNew[at] ?? 0))
    if (ids.length < chunkRows) return places
    last = { id: ids.at(-1) ?? 0, key: chunk?.last ?? '' }
  }
}

async function through(db: Db, { table, to, of }: Extract<Ranking, { of: Ranking }>): Promise<Places> {
  const theirs = await placesOf(db, of)
  const places = new Map<number, number>()
  for (const piece of await piecesOf(db, table)) {
    const { rows } = await sql<{ ids: Buffer; others: Buffer }>`
      select ${packIds(sql`id`)} as ids, ${packIds(sql`coalesce(${to}, 0)`)} as others
      from ${table} where ${within(sql`id`, piece)}`.execute(db)
    const ids = unpackIds(rows[0]?.ids ?? Buffer.of())
    const others = unpackIds(rows[0]?.others ?? Buffer.of())
    for (const [at, id] of ids.entries()) {
      const place = theirs.get(others[at] ?? 0)
      if (place !== undefined) places.set(id, place)
    }
  }
  return places
}
