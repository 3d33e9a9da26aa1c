import { type RawBuilder, sql } from 'kysely'

import { type Copy, type Reference, referenceDataNames, tagNames } from '../../contract/catalogue.ts'
import { collection, type Collection, type Filter, type ListQuery } from '../../contract/list.ts'
import type { Db, Trx } from '../db/handles.ts'
import { everyWord, type FilterColumn, foldedNames, onDay, whereOf } from '../db/lists/list-sql.ts'
import { everyId, type LongList, type LongOrder, type ReadInTurn, readIds } from '../db/lists/read-list.ts'
import { coverPathBesideFound, shownFoundImages } from '../library-facts/cover-path.ts'
import {
  categoriesByFoldedName,
  mediaByFoldedName,
  referencesByCode,
  referencesByName,
} from '../library-facts/rankings.ts'
import { keptCode, titlesMatching } from '../library-facts/title-search.ts'
import { visibleCopies, copyOpen, seenByAll, type Visibility } from '../visibility/visibility.ts'
import { copiesOfReferenceAhead, copiesOfReferences } from './copy-queries.ts'

const inJson = (column: 'tags' | 'reference_data', names: readonly string[]): Record<string, FilterColumn> =>
  Object.fromEntries(
    names.map((name) => [`${column}.${name}`, { column: sql`r.${sql.ref(column)} ->> ${sql.lit(name)}` }]),
  )

/** Those with a value of that function, by what it is called, or without any. */
function hasValue({ field, operator, value }: Filter): RawBuilder<unknown> {
  const of = sql`
    select rl.reference from list_values lv join reference_list_values rl on rl.list_value = lv.id
    where lv.type = ${Number(field.split('.')[1])}`
  if (operator === 'nil') return value ? sql`r.id not in (${of})` : sql`r.id in (${of})`
  return sql`r.id in (${of} and ${everyWord(sql`search_text(lv.name)`, value)})`
}

/** A closed site has no copy for the person; the chosen one only limits what is told of each title. */
const hasCopyAt =
  (visibility: Visibility) =>
  ({ value }: Filter) => sql`
  exists (select from copies c where c.reference = r.id and c.deleted_at is null
    and ${copyOpen(visibility)} and c.site = any(${[value].flat()}::int[]))`

const filterColumns = ({ visibility, timezone }: ReferenceScope): Record<string, FilterColumn> => ({
  id: { column: sql`r.id` },
  searchname: { test: ({ value }) => titlesMatching(sql`r.search`, value) },
  name: { column: sql`r.name`, within: sql`r.search`, foldedAs: sql`r.search_name` },
  code: { column: sql`r.code`, within: sql`r.search`, isIndexed: true, kept: keptCode },
  category: { column: sql`r.category` },
  medium: { column: sql`r.medium` },
  type: { column: sql`r.type` },
  audience: { column: sql`r.audience` },
  new_at: { column: sql`r.new_at` },
  created_at: { test: onDay(sql`r.created_at`, timezone) },
  site: { test: hasCopyAt(visibility) },
  ...inJson('tags', tagNames),
  ...inJson('reference_data', referenceDataNames),
  list_types: { test: hasValue },
})

const orderColumns: Record<string, LongOrder> = {
  created_at: { sorts: sql`r.created_at`, number: sql`(extract(epoch from r.created_at) * 1000000)` },
  name: { sorts: sql`r.sort_name`, number: { of: sql`r.id`, ranked: referencesByName } },
  code: { sorts: { nullable: sql`r.code` }, number: { of: sql`r.id`, ranked: referencesByCode } },
  category: {
    sorts: { nullable: sql`sorted_category.name` },
    number: { of: sql`r.category`, ranked: categoriesByFoldedName },
  },
  medium: {
    sorts: { nullable: sql`sorted_medium.name` },
    number: { of: sql`r.medium`, ranked: mediaByFoldedName },
  },
  price: { sorts: sql`r.price`, number: sql`(r.price * 100)` },
  id: { sorts: sql`r.id`, number: sql`r.id` },
}

function fromFor(order: readonly { field: string }[]): RawBuilder<unknown> {
  const sortsBy = (name: string) => order.some(({ field }) => field === name)
  return sql.join(
    [
      sql`"references" r`,
      ...(sortsBy('category')
        ? [sql`left join ${foldedNames(sql`categories`)} sorted_category on sorted_category.id = r.category`]
        : []),
      ...(sortsBy('medium')
        ? [sql`left join ${foldedNames(sql`media`)} sorted_medium on sorted_medium.id = r.medium`]
        : []),
    ],
    sql` `,
  )
}

/** `also` keeps those of which something more holds. */
export const referencesFound = (
  list: Pick<ListQuery, 'filters'>,
  scope: ReferenceScope,
  also = sql`true`,
): LongList => ({
  table: sql`"references"`,
  id: sql`r.id`,
  from: (_, order) => fromFor(order),
  where: sql`r.deleted_at is null and ${whereOf(seenByAll, list.filters, filterColumns(scope))} and ${also}`,
  orders: orderColumns,
})

/** All references of a list, in its order. */
export async function* everyReference(
  reads: ReadInTurn,
  list: ListQuery,
  scope: ReferenceScope,
): AsyncGenerator<Reference[]> {
  for await (const ids of everyId(reads, list, referencesFound(list, scope))) {
    yield await reads((db) => readReferences(db, ids, false, scope.visibility))
  }
}

/** Everybody sees the references, but only the copies in sight. */
export type ReferenceScope = {
  visibility: Visibility
  timezone: string
}

export async function listReferences(
  db: Db,
  list: ListQuery,
  withCopies: boolean,
  scope: ReferenceScope,
): Promise<Collection<Reference>> {
  const { ids, total } = await readIds(db, list, referencesFound(list, scope))
  return collection(await readReferences(db, ids, withCopies, scope.visibility), total)
}

/** A reference that is there, with its copies, in one round trip. */
export async function getReference(trx: Trx, id: number, visibility: Visibility): Promise<Reference> {
  const asked = await copiesOfReferenceAhead(trx, id, visibility)
  const reference = await findReferenceAlone(trx, id, visibility)
  if (!reference) throw new Error(`reference ${id} is gone`)
  return { ...reference, copies: await asked.copies() }
}

export async function findReference(
  db: Db | Trx,
  id: number,
  visibility: Visibility,
): Promise<Reference | null> {
  const [reference] = await readReferences(db, [id], true, visibility)
  return reference ?? null
}

/** The same without its copies, which have a journal and versions of their own. */
export async function findReferenceAlone(
  db: Db | Trx,
  id: number,
  visibility: Visibility,
): Promise<Reference | null> {
  const [reference] = await readReferences(db, [id], false, visibility)
  return reference ?? null
}

/** Those that are there, without their copies. */
export const findReferencesAlone = (
  db: Db | Trx,
  ids: number[],
  visibility: Visibility,
): Promise<Reference[]> => readReferences(db, ids, false, visibility)

/** Null where there is no image, undefined where there is no reference. */
export async function shownVersion(db: Db, id: number): Promise<string | null | undefined> {
  const { rows } = await sql<{ version: string | null }>`
    select coalesce(r.image_version, f.image_version) as version
    from "references" r left join ${shownFoundImages}
    where r.id = ${id} and r.deleted_at is null`.execute(db)
  return rows[0]?.version
}

/** What a reference `r` has of each group and function, in its order. */
const codedAuthors = sql`
    select json_object_agg(grouped."group", grouped.types) as authors from (
      select one."group", json_object_agg(one.name, one.names order by one.place) as types from (
        select t."group", t.name, json_agg(lv.name order by rl.position, lv.id) as names, min(rl.position) as place
        from reference_list_values rl join list_values lv on lv.id = rl.list_value join list_types t on t.id = lv.type
        where rl.reference = r.id group by t."group", t.id) one
      group by one."group") grouped`

type AuthorsAndTags = Pick<Reference, 'name' | 'authors' | 'tags'>

/** What a merge changes of references, which may be thousands. */
export async function readAuthorsAndTags(
  trx: Trx,
  ids: readonly number[],
): Promise<Map<number, AuthorsAndTags>> {
  const { rows } = await sql<AuthorsAndTags & { id: number }>`
    select r.id, r.name, r.tags, coalesce(coded.authors, '{}') as authors
    from "references" r cross join lateral (${codedAuthors}) coded
    where r.id = any(${ids}::int[]) order by r.id`.execute(trx)
  return new Map(rows.map(({ id, ...reference }) => [id, reference]))
}

/** In the order of the ids; names are looked up row by row, because planning joins costs more. */
async function readReferences(
  db: Db | Trx,
  ids: number[],
  withCopies: boolean,
  visibility: Visibility,
): Promise<Reference[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Omit<Reference, '@id' | '@type' | 'copies' | 'image'>>`
    select r.id, r.code, r.name, r.description, r.short_description,
      (select json_build_object('id', cat.id, 'name', cat.name) from categories cat where cat.id = r.category) as category,
      (select json_build_object('id', m.id, 'name', m.name) from media m where m.id = r.medium) as medium,
      r.price, r.type, r.deposit_check, r.new_at, r.audience,
      ${coverPathBesideFound} as image_path,
      case when r.image_version is not null then 'own' else f.source end as image_source, r.changed_xid::text as version,
      coalesce(worded.keywords, '{}') as keywords, r.tags,
      coalesce(coded.authors, '{}') as authors, r.reference_data,
      held.copies_count, held.available_count, r.created_at
    from (select ${ids}::int[] as ids offset 0) listed
    join "references" r on r.id = any(listed.ids)
    left join ${shownFoundImages}
    cross join lateral (
      select array_agg(k.name order by search_text(k.name)) as keywords
      from reference_keywords rk join keywords k on k.id = rk.keyword and k.deleted_at is null
      where rk.reference = r.id) worded
    cross join lateral (${codedAuthors}) coded
    cross join lateral (
      select count(*) as copies_count, count(*) filter (where c.status = 'Disponible') as available_count
      from copies c
      where c.reference = r.id and c.deleted_at is null and ${visibleCopies(visibility)}) held
    where r.deleted_at is null
    order by array_position(listed.ids, r.id)`.execute(db)
  const copies = withCopies ? await copiesByReference(db, ids, visibility) : null
  return rows.map((row) => ({
    '@id': `/api/references/${row.id}`,
    '@type': 'Reference',
    ...row,
    image: row.image_path,
    ...(copies ? { copies: copies.get(row.id) ?? [] } : {}),
  }))
}

async function copiesByReference(
  db: Db,
  ids: number[],
  visibility: Visibility,
): Promise<Map<number, Copy[]>> {
  const byReference = new Map<number, Copy[]>()
  for (const copy of await copiesOfReferences(db, ids, visibility)) {
    byReference.set(copy.reference, [...(byReference.get(copy.reference) ?? []), copy])
  }
  return byReference
}
