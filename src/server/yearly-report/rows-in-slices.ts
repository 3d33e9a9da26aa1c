import { type RawBuilder, sql } from 'kysely'

import type { Db } from '../db/handles.ts'
import { packIds, packNumbers, unpackIds, unpackNumbers } from '../db/packed-numbers.ts'
import { placesOf } from '../db/ranking.ts'
import { sortNumbers } from '../db/sort-numbers.ts'
import type { CountedRows } from './counted.ts'

export type ToldRow = { id: number | null; label: string; detail: string }

/** One page of the rows that a figure counts, which is told by what its row and its column are (`by_row`, `by_column`). */
export type WantedRows = {
  told: { row: RawBuilder<unknown>; column: RawBuilder<unknown> }
  isWanted: RawBuilder<unknown>
  offset: number
  limit: number
}

/**
 * One page of what is counted and how many there are in all, where no statement may be long: numbers that sort are read slice by
 * slice and sorted here, and words are read of the page alone.
 */
export async function rowsInSlices(
  db: Db,
  { from, key, place, id, label, detail }: CountedRows,
  { told, isWanted, offset, limit }: WantedRows,
): Promise<{ rows: ToldRow[]; total: number }> {
  const slices = await from(db)
  const [number, places] = 'of' in place ? [place.of, await placesOf(db, place.ranked)] : [place, null]
  const found: { slice: number; key: number; place: number }[] = []
  for (const [at, slice] of slices.entries()) {
    const { rows } = await sql<{ keys: Buffer; numbers: Buffer }>`
      select ${packIds(sql`key`)} as keys, ${packNumbers(sql`number`)} as numbers
      from (select ${key} as key, ${number} as number, ${told.row} as by_row, ${told.column} as by_column from ${slice}) counted
      where ${isWanted}`.execute(db)
    const numbers = unpackNumbers(rows[0]?.numbers ?? Buffer.of())
    for (const [n, one] of unpackIds(rows[0]?.keys ?? Buffer.of()).entries()) {
      const sorts = numbers[n] ?? Infinity
      found.push({ slice: at, key: one, place: places ? (places.get(sorts) ?? Infinity) : sorts })
    }
  }
  const order = await sortNumbers(found.length, [
    { numbers: Float64Array.from(found, (one) => one.place), isRising: true },
    { numbers: Float64Array.from(found, (one) => one.key), isRising: true },
  ])
  const page = [...order.subarray(offset, offset + limit)].flatMap((at) => found[at] ?? [])
  const words = new Map<number, ToldRow>()
  for (const [at, slice] of slices.entries()) {
    const keys = page.filter((one) => one.slice === at).map((one) => one.key)
    if (keys.length === 0) continue
    const { rows } = await sql<ToldRow & { key: number }>`
      select * from (select ${key} as key, ${id} as id, ${label} as label, ${detail} as detail from ${slice}) told
      where key = any(${keys}::int[])`.execute(db)
    for (const { key: one, ...row } of rows) words.set(one, row)
  }
  return { rows: page.flatMap((one) => words.get(one.key) ?? []), total: found.length }
}
