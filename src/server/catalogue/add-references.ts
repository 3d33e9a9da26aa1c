import { sql } from 'kysely'

import type { Reference, referenceDataNames, ReferenceTags } from '../../contract/catalogue.ts'
import type { addReference as addReferenceCall } from '../../contract/references.ts'
import type { Audience } from '../../domain/age-bands.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { setCodedFields } from './coded-fields.ts'
import { getReference } from './reference-queries.ts'
import { referenceColumns, referenceRefusal, setKeywords } from './write-reference.ts'

export async function addReference(
  trx: Trx,
  { body }: VerbInput<typeof addReferenceCall>,
  exchange: Exchange,
): Promise<Outcome<Reference>> {
  const columns = { ...referenceColumns(body, null, exchange.today), name: body.name }
  const refusal = await referenceRefusal(trx, body, columns, null)
  if (refusal) return refusal
  const { id } = await trx.insertInto('references').values(columns).returning('id').executeTakeFirstOrThrow()
  const unworded = await setKeywords(trx, id, body.keywords ?? [], exchange)
  if (unworded) return unworded
  const uncoded = await setCodedFields(trx, id, body)
  if (uncoded) return uncoded
  const after = await getReference(trx, id, exchange.visibility)
  await journal(trx, exchange, { action: 'references.add', entity: 'references', entity_id: id, after })
  return done(after)
}

/** A reference whose medium, category and keywords are still told by name. */
export type NewReference = {
  name: string
  code: string | null
  description: string
  short_description: string
  medium: string | null
  category: string | null
  price: string
  audience?: Audience
  keywords: string[]
  tags: ReferenceTags
  reference_data: Partial<Record<(typeof referenceDataNames)[number], string>>
}

const rowsPerStatement = 300

type AddedReferences = {
  added: number
  ids: Map<number, number>
  errors: { line: number; message: string }[]
}

/** Adds references by line, finding or making media and categories; a taken code is an error of its line. */
export async function addReferences(
  trx: Trx,
  rows: readonly { line: number; reference: NewReference }[],
  options: { onProgress?: (done: number) => void } = {},
): Promise<AddedReferences> {
  const result: AddedReferences = { added: 0, ids: new Map(), errors: [] }
  const media = await idsByName(
    trx,
    'media',
    rows.map(({ reference }) => reference.medium),
  )
  const categories = await idsByName(
    trx,
    'categories',
    rows.map(({ reference }) => reference.category),
  )
  const keywords = await idsByName(
    trx,
    'keywords',
    rows.flatMap(({ reference }) => reference.keywords),
  )
  const taken = await takenCodes(
    trx,
    rows.flatMap(({ reference }) => reference.code ?? []),
  )

  const accepted = rows.filter(({ line, reference: { code } }) => {
    if (code === null) return true
    if (taken.has(code)) {
      result.errors.push({
        line,
        message: `Le code «\u00a0${code}\u00a0» est déjà celui d’une autre référence.`,
      })
      return false
    }
    taken.add(code)
    return true
  })
  for (let at = 0; at < accepted.length; at += rowsPerStatement) {
    const batch = accepted.slice(at, at + rowsPerStatement)
    const made = await trx
      .insertInto('references')
      .values(
        batch.map(({ reference }) => {
          const { medium, category, tags, reference_data, keywords: _, ...own } = reference
          return {
            ...own,
            medium: medium === null ? null : (media.get(medium) ?? null),
            category: category === null ? null : (categories.get(category) ?? null),
            tags: JSON.stringify(tags),
            reference_data: JSON.stringify(reference_data),
            new_at: null,
            image_version: null,
            deleted_at: null,
          }
        }),
      )
      .returning('id')
      .execute()
    await linkKeywords(
      trx,
      made.flatMap(({ id }, offset) =>
        (batch[offset]?.reference.keywords ?? []).map((name) => ({
          reference: id,
          keyword: keywords.get(name),
        })),
      ),
    )
    for (const [offset, { id }] of made.entries()) {
      const row = batch[offset]
      if (row) result.ids.set(row.line, id)
    }
    result.added += made.length
    options.onProgress?.(result.added)
  }
  return result
}

type Link = { reference: number; keyword: number | undefined }

async function linkKeywords(trx: Trx, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return
  await sql`
    insert into reference_keywords (reference, keyword)
    select reference, keyword from unnest(${links.map(({ reference }) => reference)}::int[],
      ${links.map(({ keyword }) => keyword ?? null)}::int[]) as links (reference, keyword)
    where keyword is not null on conflict do nothing`.execute(trx)
}

async function idsByName(
  trx: Trx,
  table: 'media' | 'categories' | 'keywords',
  written: readonly (string | null)[],
): Promise<Map<string, number>> {
  const names = [...new Set(written.filter((name) => name !== null))]
  if (names.length === 0) return new Map()
  const { rows: missing } = await sql<{ name: string }>`
    select min(name) as name from unnest(${names}::text[]) as names (name)
    where search_text(name) not in (
      select search_text(known.name) from ${sql.table(table)} known
      where known.deleted_at is null
        and search_text(known.name) = any(array(select search_text(name) from unnest(${names}::text[]) as names (name)))
    )
    group by search_text(name)`.execute(trx)
  if (missing.length > 0)
    await sql`
      insert into ${sql.table(table)} (name) select unnest(${missing.map(({ name }) => name)}::text[])`.execute(
      trx,
    )
  const { rows } = await sql<{ name: string; id: number }>`
    select names.name, known.id from unnest(${names}::text[]) as names (name)
    join ${sql.table(table)} known on search_text(known.name) = search_text(names.name) and known.deleted_at is null`.execute(
    trx,
  )
  return new Map(rows.map(({ name, id }) => [name, id]))
}

async function takenCodes(trx: Trx, codes: readonly string[]): Promise<Set<string>> {
  if (codes.length === 0) return new Set()
  const rows = await trx
    .selectFrom('references')
    .select('code')
    .where(sql<boolean>`code = any(${codes}::text[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.flatMap(({ code }) => code ?? []))
}
