import { sql } from 'kysely'

import { findReferencesAlone } from '../catalogue/reference-queries.ts'
import type { Trx } from '../db/handles.ts'
import { insertRows } from '../db/insert-rows.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import type { Facts } from './facts.ts'
import { findWords, type Words } from './find-words.ts'
import type { Batch, Wanted } from './import-batch.ts'
import { importCopies, planCopies } from './import-copies.ts'
import { type MatchedWork, matchWorks } from './matched-works.ts'
import { nextFacts } from './next-facts.ts'
import type { How, RowOutcome } from './outcome-of-row.ts'
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
  const { places, before } = await matchWorks(trx, rows, { words, how }, exchange)
  const batch: Batch = { rows, copies, places, words, how }
  const written = await addWorks(trx, batch, exchange)
  const changes = await changeWorks(trx, batch, new Map([...before, ...written]), exchange)
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

/** Writes the works that are new, and says what each is from then on. */
async function addWorks(
  trx: Trx,
  { rows, places, words, how }: Batch,
  exchange: Exchange,
): Promise<Map<MatchedWork, Facts>> {
  const written = new Map<MatchedWork, Facts>()
  const fresh = [...places.keys()].filter((at) => places[at]!.isNew)
  if (how.isDry || fresh.length === 0) return written
  const ids = await insertRows(
    trx,
    'references',
    fresh.map((at) => columnsOf(rows[at]!.work, words)),
  )
  for (const [index, at] of fresh.entries()) places[at]!.work.reference = ids[index]!
  await linkKeywords(
    trx,
    fresh.flatMap((at) => keywordLinks(rows[at]!, places[at]!.work.reference!, words)),
  )
  const added = await findReferencesAlone(trx, ids, exchange.sight)
  const byId = new Map(added.map((after): [number, Facts] => [after.id, after as Facts]))
  for (const at of fresh) written.set(places[at]!.work, byId.get(places[at]!.work.reference!)!)
  await journalEach(
    trx,
    exchange,
    added.map((after) => ({
      action: 'references.add',
      entity: 'references',
      entity_id: after.id,
      before: null,
      after,
    })),
  )
  return written
}

type Link = { reference: number; keyword: number }

const keywordLinks = ({ work }: WorkRow, reference: number, words: Words): Link[] =>
  ((work['keywords'] as readonly string[] | undefined) ?? []).flatMap((word) => {
    const keyword = words.keywords.get(word) ?? null
    return keyword === null ? [] : [{ reference, keyword }]
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
    const { reference } = places[at]!.work
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

/** Changes works that were there, or come from an earlier row, by what each field's policy lets through; by place, what came of it. */
async function changeWorks(
  trx: Trx,
  batch: Batch,
  facts: Map<MatchedWork, Facts>,
  exchange: Exchange,
): Promise<Map<number, Changed>> {
  const { rows, places, how } = batch
  const changed = new Map<number, Changed>()
  for (const [at, { work, isNew }] of places.entries()) {
    const before = facts.get(work)
    const next = isNew || !before ? null : nextFacts(before, rows[at]!.work, batch)
    if (!before || !next) continue
    facts.set(work, next.after)
    changed.set(at, { before, after: next.after })
    if (how.isDry) continue
    const id = work.reference!
    await trx.updateTable('references').set(next.columns).where('id', '=', id).execute()
    await linkKeywords(trx, next.adds_keywords ? keywordLinks(rows[at]!, id, batch.words) : [])
  }
  if (how.isDry) return changed
  await keepNotices(trx, batch, exchange)
  await journalEach(
    trx,
    exchange,
    [...changed].map(([at, { before, after }]) => ({
      action: 'references.change',
      entity: 'references',
      entity_id: places[at]!.work.reference!,
      before,
      after,
    })),
  )
  return changed
}
