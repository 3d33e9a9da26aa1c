import { type RawBuilder, sql } from 'kysely'

import { type CountedRow, rowsAPage } from '../../contract/counted-rows.ts'
import { type Collection, collection } from '../../contract/list.ts'
import type { Db } from '../db/handles.ts'
import { isBounded } from '../db/lists/planned-cost.ts'
import { placesOf } from '../db/lists/ranking.ts'
import type { SortNumber } from '../db/lists/remembered-order.ts'
import { packIds, packNumbers, sortNumbers, unpackIds, unpackNumbers } from '../db/lists/sort-numbers.ts'
import { oneRow } from '../db/one-row.ts'

/** What a figure counts: where from, as a whole or as slices that have nothing in common, and what it is called one by one. */
export type CountedRows = {
  from: (db: Db) => Promise<readonly RawBuilder<unknown>[]>
  kind: CountedRow['kind']
  id: RawBuilder<unknown>
  label: RawBuilder<unknown>
  detail: RawBuilder<unknown>
  order: RawBuilder<unknown>
  /** The same order for rows that are sorted in memory: by this, then by the key, which no two rows have. */
  place: SortNumber
  key: RawBuilder<unknown>
}

/** Empty is what is not known. */
export const known = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce(${value}::text, '')`

/** A part of what is counted: those of which what tells them apart is this; none is no limit. */
type WantedPart = { by: RawBuilder<unknown>; key: string }

type Wanted = { isWanted: RawBuilder<unknown>; offset: number; limit: number }
type ToldRow = Pick<CountedRow, 'id' | 'label' | 'detail'>
type Told = { rows: ToldRow[]; total: number }

/** A page of the rows behind a figure, from the very relation that counts them. */
export async function readCountedRows(
  db: Db,
  counted: CountedRows,
  { parts, page }: { parts: readonly WantedPart[]; page: number },
): Promise<Collection<CountedRow>> {
  const { rows, total } = await (isBounded(db) ? rowsInSlices : rowsInOne)(db, counted, {
    isWanted: sql.join([sql`true`, ...parts.map(({ by, key }) => sql`${by} = ${key}`)], sql` and `),
    offset: (page - 1) * rowsAPage,
    limit: rowsAPage,
  })
  return collection(
    rows.map((row) => ({ '@type': 'CountedRow', kind: counted.kind, ...row })),
    total,
  )
}

/** In one statement. */
async function rowsInOne(
  db: Db,
  { from, id, label, detail, order }: CountedRows,
  { isWanted, offset, limit }: Wanted,
): Promise<Told> {
  const [all] = await from(db)
  return oneRow(
    db,
    sql`
    with found as materialized (
      select * from (
        select ${id} as id, ${label} as label, ${detail} as detail, ${isWanted} as is_wanted,
          row_number() over (order by ${order}) as place
        from ${all}) counted
      where is_wanted)
    select (select count(*) from found)::int as total,
      (select coalesce(json_agg(json_build_object('id', id, 'label', label, 'detail', detail) order by place), '[]')
        from (select * from found order by place limit ${limit} offset ${offset}) page) as rows`,
  )
}
/**
 * One page of what is counted and how many there are in all, where no statement may be long: numbers that sort are read slice by
 * slice and sorted here, and words are read of the page alone.
 */
async function rowsInSlices(
  db: Db,
  { from, key, place, id, label, detail }: CountedRows,
  { isWanted, offset, limit }: Wanted,
): Promise<Told> {
  const slices = await from(db)
  const [number, places] = 'of' in place ? [place.of, await placesOf(db, place.ranked)] : [place, null]
  const found: { slice: number; key: number; place: number }[] = []
  for (const [at, slice] of slices.entries()) {
    const { rows } = await sql<{ keys: Buffer; numbers: Buffer }>`
      select ${packIds(sql`key`)} as keys, ${packNumbers(sql`number`)} as numbers
      from (select ${key} as key, ${number} as number, ${isWanted} as is_wanted from ${slice}) counted
      where is_wanted`.execute(db)
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
