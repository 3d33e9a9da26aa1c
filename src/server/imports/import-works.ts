import { sql } from 'kysely'

import { findReferencesAlone } from '../catalogue/reference-queries.ts'
import type { Trx } from '../db/handles.ts'
import { insertRows } from '../db/insert-rows.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import type { Facts } from './facts.ts'
import { findWords, wouldBeMade, type Words } from './find-words.ts'
import { findWorks, keyOfWork } from './find-works.ts'
import type { Batch, Place, Wanted } from './import-batch.ts'
import { importCopies, planCopies } from './import-copies.ts'
import { type How, policyOf, type RowOutcome, takesPlace } from './outcome-of-row.ts'
import { meet } from './seen-keys.ts'
import type { Values, WorkRow } from './work-row.ts'

/** Brings in works with their copies, some hundreds of rows at a time; words that had to be made are counted. */
export async function importWorks(
  trx: Trx,
  given: readonly WorkRow[],
  how: How,
  exchange: Exchange,
): Promise<{ outcomes: RowOutcome[]; words: number }> {
  const outcomes: RowOutcome[] = []
  const rows: WorkRow[] = []
  const copies: Wanted[][] = []
  const plans = await planCopies(trx, given, how, exchange)
  // No word is made for a row that is refused.
  const whole = given.filter((_, at) => !('refused' in plans[at]!))
  const words = await findWords(trx, whole, how, exchange)
  for (const [at, planned] of plans.entries()) {
    const row = given[at]!
    const refused = 'refused' in planned ? planned.refused : refusedWord(row, words)
    if (refused) outcomes.push({ line: row.line, at: row.at, result: 'refused', ...refused })
    else if (!('refused' in planned)) {
      rows.push(row)
      copies.push(planned)
    }
  }
  const batch: Batch = { rows, copies, places: await placeOf(trx, rows, how), words, how }
  await addWorks(trx, batch, exchange)
  const changes = await changeWorks(trx, batch, exchange)
  const done = await importCopies(trx, batch, exchange)
  for (const [at, { line, at: begins, work }] of rows.entries()) {
    const added = done.added.get(at) ?? 0
    const change = changes.get(at)
    const isAdded = batch.places[at]!.isNew || added > 0
    const result = isAdded ? 'added' : change || done.changed.has(at) ? 'changed' : 'unchanged'
    outcomes.push({ line, at: begins, result, name: String(work['name']), copies: added, ...change })
  }
  return { outcomes, words: words.made }
}

const wordFields = { medium: 'media', category: 'categories' } as const

/** A row that names what nobody has and what may not be made. */
function refusedWord({ work }: WorkRow, words: Words): { field: string; reason: string } | null {
  for (const [field, table] of Object.entries(wordFields)) {
    const name = work[field]
    if (typeof name === 'string' && words[table].get(name) === null) {
      const what = table === 'media' ? 'Le support' : 'La catégorie'
      return { field, reason: `${what} «\u00a0${name}\u00a0» n’existe pas.` }
    }
  }
  return null
}

async function placeOf(trx: Trx, rows: readonly WorkRow[], how: How): Promise<Place[]> {
  const found = await findWorks(trx, rows)
  const keys = rows.map(keyOfWork)
  const met = await meet(trx, how, keys)
  const firsts = new Map<string, number>()
  return rows.map((_, at) => {
    const key = keys[at]!
    const reference = found.get(at) ?? null
    const first = firsts.get(key) ?? at
    firsts.set(key, first)
    return { reference, first, isNew: reference === null && first === at && !met.has(key) }
  })
}

/** The columns of a work, from its values. */
function columnsOf(work: Values, words: Words) {
  const { name, code, description, short_description, price, deposit_check, audience, medium, category } =
    work
  const group = (prefix: string) =>
    Object.fromEntries(
      Object.entries(work).flatMap(([field, value]) =>
        field.startsWith(`${prefix}.`) ? [[field.slice(prefix.length + 1), String(value)]] : [],
      ),
    )
  return {
    name: String(name),
    code: typeof code === 'string' ? code : null,
    description: String(description ?? ''),
    short_description: String(short_description ?? ''),
    price: String(price ?? '0.00'),
    deposit_check: deposit_check === true,
    audience: (audience as 'adult' | 'youth' | undefined) ?? null,
    medium: words.media.get(String(medium)) ?? null,
    category: words.categories.get(String(category)) ?? null,
    tags: group('tags'),
    reference_data: group('reference_data'),
    new_at: null,
    image_version: null,
    deleted_at: null,
  }
}

/** Writes the works that are new, and gives each place its reference. */
async function addWorks(trx: Trx, { rows, places, words, how }: Batch, exchange: Exchange): Promise<void> {
  const fresh = [...places.keys()].filter((at) => places[at]!.isNew)
  if (how.isDry || fresh.length === 0) return
  const ids = await insertRows(
    trx,
    'references',
    fresh.map((at) => columnsOf(rows[at]!.work, words)),
  )
  for (const [index, at] of fresh.entries()) places[at]!.reference = ids[index]!
  for (const place of places) place.reference ??= places[place.first]!.reference
  await linkKeywords(
    trx,
    fresh.flatMap((at) => keywordLinks(rows[at]!, places[at]!.reference!, words)),
  )
  await keepNotices(trx, { rows, places, how }, exchange)
  await journalEach(
    trx,
    exchange,
    (await findReferencesAlone(trx, ids, exchange.sight)).map((after) => ({
      action: 'references.add',
      entity: 'references',
      entity_id: after.id,
      before: null,
      after,
    })),
  )
}

type Link = { reference: number; keyword: number }

const keywordLinks = ({ work }: WorkRow, reference: number, words: Words): Link[] =>
  ((work['keywords'] as readonly string[] | undefined) ?? []).flatMap((word) => {
    const keyword = words.keywords.get(word) ?? null
    return keyword === null || keyword === wouldBeMade ? [] : [{ reference, keyword }]
  })

async function linkKeywords(trx: Trx, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return
  await sql`
    insert into reference_keywords (reference, keyword)
    select * from unnest(${links.map(({ reference }) => reference)}::int[], ${links.map(({ keyword }) => keyword)}::int[])
    on conflict do nothing`.execute(trx)
}

/** The notice that a work came as; one that is kept already stays. */
async function keepNotices(
  trx: Trx,
  { rows, places, how }: Pick<Batch, 'rows' | 'places' | 'how'>,
  { act }: Exchange,
): Promise<void> {
  const charset = sql<
    string | null
  >`(select opened -> 'charset' ->> 'name' from imports where id = ${how.id})`
  const kept = rows.flatMap(({ notice }, at) => {
    const { reference } = places[at]!
    return notice && reference !== null ? [{ reference, ...notice, charset, act: act ?? null }] : []
  })
  if (kept.length === 0) return
  await trx
    .insertInto('reference_notices')
    .values(kept)
    .onConflict((conflicting) => conflicting.doNothing())
    .execute()
}

type Changed = { before: Facts; after: Facts }

/** Changes works that were there by what each field's policy lets through; by place, what came of it. */
async function changeWorks(trx: Trx, batch: Batch, exchange: Exchange): Promise<Map<number, Changed>> {
  const { rows, places, how } = batch
  const known = [...places.keys()].filter((at) => !places[at]!.isNew && places[at]!.reference !== null)
  const ids = [...new Set(known.map((at) => places[at]!.reference!))]
  const changed = new Map<number, Changed>()
  if (ids.length === 0) return changed
  await sql`select from "references" where id = any(${ids}::int[]) order by id for no key update`.execute(trx)
  const found = await findReferencesAlone(trx, ids, exchange.sight)
  const facts = new Map(found.map((reference): [number, Facts] => [reference.id, reference as Facts]))
  for (const at of known) {
    const reference = places[at]!.reference!
    const before = facts.get(reference)
    if (!before) continue
    const next = nextFacts(before, rows[at]!.work, batch)
    if (next === null) continue
    facts.set(reference, next.after)
    changed.set(at, { before, after: next.after })
    if (how.isDry) continue
    await trx.updateTable('references').set(next.columns).where('id', '=', reference).execute()
    await linkKeywords(trx, next.adds_keywords ? keywordLinks(rows[at]!, reference, batch.words) : [])
  }
  if (how.isDry) return changed
  await keepNotices(trx, batch, exchange)
  await journalEach(
    trx,
    exchange,
    [...changed].map(([at, { before, after }]) => ({
      action: 'references.change',
      entity: 'references',
      entity_id: places[at]!.reference!,
      before,
      after,
    })),
  )
  return changed
}

type Next = { after: Facts; columns: Record<string, unknown> & { name: string }; adds_keywords: boolean }

/** What a work becomes by a row, or null where nothing of it changes. */
function nextFacts(before: Facts, work: Values, { words, how }: Batch): Next | null {
  const after: Facts = { ...before }
  const columns: Record<string, unknown> = {}
  let adds_keywords = false
  for (const [field, value] of Object.entries(work)) {
    const policy = policyOf(how, field)
    const [group, part] = field.split('.') as [string, string?]
    if (part !== undefined) {
      const parts = { ...(after[group] as Record<string, string>) }
      if (parts[part] === String(value) || !takesPlace(policy, parts[part])) continue
      parts[part] = String(value)
      after[group] = parts
      columns[group] = JSON.stringify(parts)
    } else if (field === 'medium' || field === 'category') {
      const id = words[wordFields[field]].get(String(value)) ?? null
      const is = after[field] as { id: number } | null
      if (id === null || is?.id === id || !takesPlace(policy, is)) continue
      after[field] = { id, name: String(value) }
      columns[field] = id
    } else if (field === 'keywords') {
      const missing = (value as string[]).filter((word) => (words.keywords.get(word) ?? null) !== null)
      const had = after['keywords'] as string[]
      const more = missing.filter((word) => !had.some((one) => one.toLowerCase() === word.toLowerCase()))
      if (more.length === 0 || !takesPlace(policy, had)) continue
      after['keywords'] = [...had, ...more]
      adds_keywords = true
    } else {
      if (after[field] === value || !takesPlace(policy, after[field])) continue
      after[field] = value
      columns[field] = value
    }
  }
  if (Object.keys(columns).length === 0 && !adds_keywords) return null
  return { after, columns: { name: String(after['name']), ...columns }, adds_keywords }
}
