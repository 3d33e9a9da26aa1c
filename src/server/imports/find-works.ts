import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import type { Values, WorkRow } from './work-row.ts'

/**
 * What tells one work from another where no code does: its title with author, publisher, year and volume. A catalogue without codes
 * that is imported twice so finds its own works again.
 */
const partNames = ['name', 'tags.author', 'tags.publisher', 'tags.year', 'reference_data.volume'] as const
export const partsOf = (work: Values): string[] => partNames.map((name) => String(work[name] ?? ''))

/** The references that rows may be of as the library has them: those with the code, and those with the title and its parts. */
export async function findWorks(trx: Trx, rows: readonly WorkRow[]): Promise<Set<number>> {
  const given = rows.map(({ work }) => partsOf(work))
  const part = (index: number) => given.map((parts) => parts[index]!)
  // Title by title, and by a sum of the id, because the planner would read all works otherwise, or walk them in order.
  const { rows: found } = await sql<{ id: number }>`
    with given as (
      select code, search_text(name) as name, search_text(author) as author, search_text(publisher) as publisher, year,
        search_text(volume) as volume
      from unnest(${rows.map(({ work }) => String(work['code'] ?? ''))}::text[], ${part(0)}::text[], ${part(1)}::text[],
          ${part(2)}::text[], ${part(3)}::text[], ${part(4)}::text[])
        as given (code, name, author, publisher, year, volume))
    select same.id from given cross join lateral (
      select min(r.id + 0) as id from "references" r
      where r.search_name = given.name and r.deleted_at is null
        and search_text(coalesce(r.tags ->> 'author', '')) = given.author
        and search_text(coalesce(r.tags ->> 'publisher', '')) = given.publisher
        and coalesce(r.tags ->> 'year', '') = given.year
        and search_text(coalesce(r.reference_data ->> 'volume', '')) = given.volume
        and (r.code is null or given.code = '')) same
    where same.id is not null
    union
    select alike.id from given cross join lateral (
      select r.id from "references" r
      where r.code = given.code and r.deleted_at is null
      order by search_text(coalesce(r.reference_data ->> 'volume', '')) = given.volume desc,
        starts_with(r.search_name, given.name) or starts_with(given.name, r.search_name) desc, r.id
      limit ${mostOfCode}) alike
    where given.code <> ''`.execute(trx)
  return new Set(found.map(({ id }) => id))
}

/** Numbers of a periodical may all have its ISSN: those that may be a row's come first. */
const mostOfCode = 20
