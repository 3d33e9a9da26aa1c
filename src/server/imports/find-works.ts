import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import type { Values, WorkRow } from './work-row.ts'

/**
 * What tells one work from another where no code does: its title with author, publisher, year and volume. A catalogue without codes
 * that is imported twice so finds its own works again.
 */
const partNames = ['name', 'tags.author', 'tags.publisher', 'tags.year', 'reference_data.volume'] as const
export const partsOf = (work: Values): string[] => partNames.map((name) => String(work[name] ?? ''))

/** The references that rows are of as the library has them, by their place among the rows. */
export async function findWorks(trx: Trx, rows: readonly WorkRow[]): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  const byCode = await referencesByCode(trx, rows)
  for (const [place, { work }] of rows.entries()) {
    const id = byCode.get(String(work['code'] ?? ''))
    if (id !== undefined) found.set(place, id)
  }
  const others = [...rows.keys()].filter((place) => !found.has(place))
  if (others.length === 0) return found
  const given = others.map((place) => partsOf(rows[place]!.work))
  const part = (index: number) => given.map((parts) => parts[index]!)
  // Title by title, and by a sum of the id, because the planner would read all works otherwise, or walk them in order.
  const { rows: same } = await sql<{ place: number; id: number }>`
    select given.place, same.id
    from unnest(${others}::int[], ${part(0)}::text[], ${part(1)}::text[], ${part(2)}::text[], ${part(3)}::text[], ${part(4)}::text[],
        ${others.map((place) => String(rows[place]!.work['code'] ?? ''))}::text[])
      as given (place, name, author, publisher, year, volume, code)
    cross join lateral (
      select min(r.id + 0) as id from "references" r
      where r.search_name = search_text(given.name) and r.deleted_at is null
        and search_text(coalesce(r.tags ->> 'author', '')) = search_text(given.author)
        and search_text(coalesce(r.tags ->> 'publisher', '')) = search_text(given.publisher)
        and coalesce(r.tags ->> 'year', '') = given.year
        and search_text(coalesce(r.reference_data ->> 'volume', '')) = search_text(given.volume)
        and (r.code is null or given.code = '')) same
    where same.id is not null`.execute(trx)
  for (const { place, id } of same) found.set(place, id)
  return found
}

async function referencesByCode(trx: Trx, rows: readonly WorkRow[]): Promise<Map<string, number>> {
  const codes = [
    ...new Set(rows.flatMap(({ work }) => (typeof work['code'] === 'string' ? [work['code']] : []))),
  ]
  if (codes.length === 0) return new Map()
  const { rows: known } = await sql<{ code: string; id: number }>`
    select code, min(id) as id from "references"
    where code = any(${codes}::text[]) and deleted_at is null group by code`.execute(trx)
  return new Map(known.map(({ code, id }) => [code, id]))
}
