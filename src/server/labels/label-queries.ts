import { type RawBuilder, sql } from 'kysely'

import type { LabelledReference } from '../../contract/label-list.ts'
import { type Collection, collection, type ListQuery } from '../../contract/list.ts'
import type { LabelSymbology } from '../../domain/label-symbologies.ts'
import { findReferencesAlone, type ReferenceScope, referencesFound } from '../catalogue/reference-queries.ts'
import type { Db } from '../db/handles.ts'
import { type FilterColumn, whereOf } from '../db/lists/list-sql.ts'
import { everyId, type LongList, readIds, type ReadInTurn } from '../db/lists/read-list.ts'
import { shelfMark } from '../library-facts/shelf-mark.ts'
import { visibleCopies } from '../visibility/visibility.ts'

const isWanted = sql`exists (select from label_basket w where w.copy = c.id)`

/** What filters the copies; all others filter their titles. */
const copyColumns: Record<string, FilterColumn> = {
  site: { column: sql`c.site` },
  wanted: { test: ({ value }) => (value ? isWanted : sql`not ${isWanted}`) },
}

type Filters = Pick<ListQuery, 'filters'>

const copiesMeant = ({ filters }: Filters, { visibility }: ReferenceScope): RawBuilder<unknown> => sql`
  c.deleted_at is null and ${whereOf(
    visibleCopies(visibility),
    filters.filter(({ field }) => field in copyColumns),
    copyColumns,
  )}`

function titlesFound(list: Filters, scope: ReferenceScope): LongList {
  const filters = list.filters.filter(({ field }) => !(field in copyColumns))
  const hasCopies = sql`exists (select from copies c where c.reference = r.id and ${copiesMeant(list, scope)})`
  return referencesFound({ filters }, scope, hasCopies)
}

/** A page of the titles that have such copies, with how many, and how many await their labels. */
export async function listLabelled(
  db: Db,
  list: ListQuery,
  scope: ReferenceScope,
): Promise<Collection<LabelledReference>> {
  const { ids, total } = await readIds(db, list, titlesFound(list, scope))
  const references = await findReferencesAlone(db, ids, scope.visibility)
  const { rows } = await sql<{ reference: number; copies_count: number; wanted_count: number }>`
    select c.reference, count(*)::integer as copies_count,
      (count(*) filter (where ${isWanted}))::integer as wanted_count
    from copies c where c.reference = any(${ids}::int[]) and ${copiesMeant(list, scope)}
    group by c.reference`.execute(db)
  const countOf = new Map(rows.map((row) => [row.reference, row]))
  return collection(
    references.map(({ id, code, name, category, medium, image_path, tags, created_at }) => ({
      '@id': `/api/references/${id}`,
      '@type': 'LabelledReference',
      id,
      code,
      name,
      category,
      medium,
      image_path,
      tags,
      created_at,
      copies_count: countOf.get(id)?.copies_count ?? 0,
      wanted_count: countOf.get(id)?.wanted_count ?? 0,
    })),
    total,
  )
}

export async function countCopies(db: Db, list: ListQuery, scope: ReferenceScope): Promise<number> {
  const found = titlesFound(list, scope)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from copies c
    where ${copiesMeant(list, scope)} and c.reference in (
      select ${found.id} from ${found.from(list.filters, [])} where ${found.where})`.execute(db)
  return rows[0]?.count ?? 0
}

/** A copy as its label tells it. */
type LabelledCopy = {
  id: number
  bar_code: string
  site: number
  title: string
  call_number: string | null
  wanted: boolean
}

/** All copies of a list, title by title in its order. */
export async function* everyLabelledCopy(
  reads: ReadInTurn,
  list: ListQuery,
  scope: ReferenceScope,
): AsyncGenerator<LabelledCopy[]> {
  for await (const ids of everyId(reads, list, titlesFound(list, scope))) {
    const { rows } = await reads((db) =>
      sql<LabelledCopy>`
        select c.id, c.bar_code, c.site, r.name as title, ${isWanted} as wanted,
          ${shelfMark} as call_number
        from copies c join "references" r on r.id = c.reference
        where c.reference = any(${ids}::int[]) and ${copiesMeant(list, scope)}
        order by array_position(${ids}::int[], c.reference), c.bar_code`.execute(db),
    )
    yield rows
  }
}

type Site = { id: number; name: string; symbology: LabelSymbology }

/** What the labels of each site's copies are written in, by its id. */
export async function sitesOfLabels(db: Db): Promise<Map<number, Site>> {
  const rows = await db
    .selectFrom('sites')
    .select(['id', 'name', 'bar_codes_configuration'])
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(
    rows.map(({ id, name, bar_codes_configuration: { symbology } }) => [id, { id, name, symbology }]),
  )
}
