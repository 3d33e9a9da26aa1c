import { sql } from 'kysely'

import type { Right } from '../../domain/rights.ts'
import type { Trx } from '../db/handles.ts'
import { rowsAsJson } from '../db/rows-as-json.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import type { How } from './outcome-of-row.ts'
import { numberEach } from './seen-keys.ts'
import type { WorkRow } from './work-row.ts'

type Table = 'media' | 'categories' | 'keywords' | 'locations'

const rightOf: Record<Table, Right> = {
  media: 'PARAMETER_MEDIUM',
  categories: 'PARAMETER_CATEGORY',
  keywords: 'PARAMETER_KEYWORD',
  locations: 'PARAMETER_LOCATIONS',
}

/** Ids by the words as the file writes them; null for one that nobody has and that may not be made; below zero for one that a dry run would have made. */
export type Words = Record<Table, ReadonlyMap<string, number | null>> & { made: number }

type Naming = {
  /** Those for whose sake what is not there is made. */
  making: readonly WorkRow[]
  /** Those that are told what may not be made. */
  finding: readonly WorkRow[]
}

/** Finds the media, categories, keywords and places that rows name, and makes those that are not there. */
export async function findWords(
  trx: Trx,
  { making, finding }: Naming,
  how: How,
  exchange: Exchange,
): Promise<Words> {
  const words = { made: 0 } as { -readonly [Part in keyof Words]: Words[Part] }
  for (const table of ['media', 'categories', 'keywords', 'locations'] as const) {
    const mayMake = how.choices.makes_words && exchange.caller.rights.has(rightOf[table])
    const names = [...new Set((mayMake ? making : finding).flatMap(named[table]))]
    const { ids, made } = await findOrMake(trx, table, { names, mayMake }, how, exchange)
    words[table] = ids
    words.made += made
  }
  return words
}

const named: Record<Table, (row: WorkRow) => readonly string[]> = {
  media: ({ work }) => textOf(work['medium']),
  categories: ({ work }) => textOf(work['category']),
  keywords: ({ work }) => (work['keywords'] as string[] | undefined) ?? [],
  locations: ({ copies }) => copies.flatMap(({ location }) => textOf(location)),
}

const textOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : [])

async function findOrMake(
  trx: Trx,
  table: Table,
  { names, mayMake }: { names: readonly string[]; mayMake: boolean },
  how: How,
  exchange: Exchange,
) {
  const ids = new Map<string, number | null>()
  if (names.length === 0) return { ids, made: 0 }
  const find = async () => {
    const column = sql.ref(table === 'locations' ? 'label' : 'name')
    const { rows } = await sql<{ name: string; folded: string; id: number | null }>`
      select names.name, search_text(names.name) as folded, (
        select min(t.id) from ${sql.table(table)} t
        where search_text(t.${column}) = search_text(names.name) and t.deleted_at is null) as id
      from unnest(${names}::text[]) as names (name)`.execute(trx)
    for (const { name, id } of rows) ids.set(name, id)
    return rows
  }
  const there = await find()
  const missing = new Map(there.flatMap(({ name, folded, id }) => (id === null ? [[folded, name]] : [])))
  if (missing.size === 0 || !mayMake) return { ids, made: 0 }
  if (how.isDry) {
    const keyOf = (folded: string) => `${table}:${folded}`
    const { numbers, added } = await numberEach(trx, how, [...missing.keys()].map(keyOf))
    // A number below zero is no word's id, and stands for the same word on each line.
    for (const { name, folded, id } of there) if (id === null) ids.set(name, -numbers.get(keyOf(folded))!)
    return { ids, made: added }
  }
  const column = sql.ref(table === 'locations' ? 'label' : 'name')
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (${column}) select unnest(${[...missing.values()]}::text[]) returning id`.execute(
    trx,
  )
  await journalEach(
    trx,
    exchange,
    (await rowsAsJson(trx, table, rows)).map((after) => ({
      action: `${table}.add`,
      entity: table,
      entity_id: after.id,
      before: null,
      after,
    })),
  )
  await find()
  return { ids, made: rows.length }
}
