import { sql } from 'kysely'

import type { Remark } from '../../domain/import-remarks.ts'
import { whyNoBars } from '../../domain/symbology-signs.ts'
import { findReferencesAlone } from '../catalogue/reference-queries.ts'
import type { Trx } from '../db/handles.ts'
import { insertRows } from '../db/insert-rows.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import { sitesOfLabels } from '../labels/label-queries.ts'
import type { SiteRefusal } from './find-sites.ts'
import { findWords, type Words } from './find-words.ts'
import type { Batch, Wanted } from './import-batch.ts'
import { importCopies, planCopies } from './import-copies.ts'
import { loadWorks, type MatchedWork, type Place } from './matched-works.ts'
import { nextFacts } from './next-facts.ts'
import type { How, RowOutcome } from './outcome-of-row.ts'
import type { Facts, Values, Why, WorkRow } from './work-row.ts'

/** Brings in works with their copies, some hundreds of rows at a time; words that had to be made are counted. */
export async function importWorks(
  trx: Trx,
  given: readonly WorkRow[],
  how: How,
  exchange: Exchange,
): Promise<{ outcomes: RowOutcome[]; words: number }> {
  const plans = await planCopies(trx, given, how, exchange)
  const codes = plans.map((plan) => plan.codes)
  const works = await loadWorks(trx, { rows: given, codes, how }, exchange)
  const whys = given.map((row, at): Why[] => [...row.whys, ...plans[at]!.refused.map(whyOf)])
  const refuse = (refusals: ReadonlyMap<number, readonly Why[]>) => {
    for (const [at, more] of refusals) whys[at]!.push(...more)
  }
  const passes = (at: number) => whys[at]!.length === 0
  refuse(works.refusals(passes))
  // No word is made for a row that is refused.
  const words = await findWords(
    trx,
    { making: given.filter((_, at) => passes(at)), finding: given },
    how,
    exchange,
  )
  for (const [at, row] of given.entries()) whys[at]!.push(...refusedWords(row, words))
  const { places, refused, before } = await works.match(words, passes)
  refuse(refused)
  const outcomes = given.flatMap(({ line, at }, index): RowOutcome[] => {
    if (passes(index)) return []
    const unknown_sites = plans[index]!.refused.flatMap(({ unknown_site }) => unknown_site ?? [])
    return [{ line, at, result: 'refused', whys: whys[index]!, unknown_sites }]
  })
  const passing = given.flatMap((row, at) => {
    const place = places.get(at)
    return place && passes(at) ? [{ row, copies: plans[at]!.wanted, place }] : []
  })
  const rows = passing.map(({ row }) => row)
  const batch: Batch = {
    rows,
    copies: passing.map(({ copies }) => copies),
    places: passing.map(({ place }) => place),
    words,
    how,
  }
  const written = await addWorks(trx, batch, exchange)
  const changes = await changeWorks(trx, batch, new Map([...before, ...written]), exchange)
  const done = await importCopies(trx, batch, exchange)
  const sites = await sitesOfLabels(trx)
  for (const [at, row] of rows.entries()) {
    const { line, at: begins, work } = row
    const place = batch.places[at]!
    const added = done.added.get(at) ?? []
    const change = changes.get(at)
    const isAdded = place.isNew || added.length > 0
    const result = isAdded ? 'added' : change || done.changed.has(at) ? 'changed' : 'unchanged'
    const name = String(work['name'])
    const remarks = isAdded ? [...remarksOf(row, place, how), ...withoutBars(work, added, sites)] : []
    outcomes.push({ line, at: begins, result, name, copies: added.length, ...change, remarks })
  }
  return { outcomes, words: words.made }
}

type Sites = Awaited<ReturnType<typeof sitesOfLabels>>

/** What is to be known of a row that adds something. */
function remarksOf({ work, copies, remarks }: WorkRow, { same_code }: Place, { choices }: How): Remark[] {
  const unmade = choices.numbers_copies ? 0 : copies.filter(({ bar_code }) => bar_code === undefined).length
  return [
    ...(same_code === null
      ? []
      : [
          {
            kind: 'same_code' as const,
            told: `${String(work['code'])}\u202f: ${titled(work)} s’ajoute à ${same_code}`,
          },
        ]),
    ...(unmade === 0 ? [] : [{ kind: 'no_bar_code' as const, told: `${titled(work)} (${unmade})` }]),
    ...remarks,
  ]
}

/** Codes that come with copies and that the labels of their sites cannot show. */
const withoutBars = (work: Values, added: readonly Wanted[], sites: Sites): Remark[] =>
  added.flatMap(({ bar_code, site }): Remark[] => {
    const symbology = sites.get(site)?.symbology
    const why = bar_code === null || symbology === undefined ? null : whyNoBars(symbology, bar_code)
    return why === null ? [] : [{ kind: 'no_bars', told: `${bar_code} (${titled(work)})\u202f: ${why}` }]
  })

function titled(work: Values): string {
  const volume = work['reference_data.volume']
  return `«\u00a0${String(work['name'])}\u00a0»${volume === undefined ? '' : ` (tome ${String(volume)})`}`
}

const wordFields = { medium: 'media', category: 'categories' } as const

/** What a row names that nobody has and that may not be made. */
const refusedWords = ({ work }: WorkRow, words: Words): Why[] =>
  Object.entries(wordFields).flatMap(([field, table]) => {
    const name = work[field]
    if (typeof name !== 'string' || words[table].get(name) !== null) return []
    const what = table === 'media' ? 'Le support' : 'La catégorie'
    return [{ field, reason: `${what} «\u00a0${name}\u00a0» n’existe pas.` }]
  })

const whyOf = ({ field, reason }: SiteRefusal): Why => ({ field, reason })

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
  const added = await findReferencesAlone(trx, ids, exchange.visibility)
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
  const { rows: opened } = await sql<{ charset: string | null }>`
    select opened -> 'charset' ->> 'name' as charset from imports where id = ${how.id}`.execute(trx)
  const charset = opened[0]?.charset ?? null
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
