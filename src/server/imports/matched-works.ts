import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import { findReferencesAlone } from '../catalogue/reference-queries.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Facts } from './facts.ts'
import type { Words } from './find-words.ts'
import { findWorks, partsOf } from './find-works.ts'
import { nextFacts } from './next-facts.ts'
import type { How } from './outcome-of-row.ts'
import { remember, type Seen } from './seen-keys.ts'
import type { Values, WorkRow } from './work-row.ts'

/** A work that rows are of. `reference` is null until it is written, which a dry run never does. */
export type MatchedWork = {
  reference: number | null
  /** Of works that match a row, the lowest is it: those of the library by their ids, then others by their lines. */
  order: number
  /** What rows so far leave of it. */
  facts: Facts
}

/** A row's work, and whether it was not there before this row. */
export type Place = { work: MatchedWork; isNew: boolean }

/** Facts of before these rows, by work; of works that are new, what their first row gives them. */
type Matched = { places: Place[]; before: ReadonlyMap<MatchedWork, Facts> }

/**
 * Says of each row which work it is of, each row after what those before it would leave: they fill in codes and titles, by which
 * later rows find a work. So it does not matter where a step ends, and a dry run finds what the real one will.
 */
export async function matchWorks(
  trx: Trx,
  rows: readonly WorkRow[],
  { words, how }: { words: Words; how: How },
  exchange: Exchange,
): Promise<Matched> {
  const fold = await foldedTexts(
    trx,
    rows.map(({ work }) => work),
  )
  const wanted = rows.map(({ work }) => ({ code: codeOf(work), title: titleOf(work, fold) }))
  const found = await findWorks(trx, rows)
  const seen = await seenWorks(trx, how, wanted, [...found.values()])
  const known = await knownWorks(trx, [...found.values()], seen, exchange)
  const before = new Map([...known].map((work) => [work, work.facts]))
  const index = indexOfWorks(fold)
  await addTexts(trx, fold, known)
  for (const work of known) index.add(work)
  const touched = new Set<MatchedWork>()
  const places = rows.map(({ work: values, at }, place): Place => {
    const there = index.find(wanted[place]!)
    const work = there ?? { reference: null, order: firstOfFile + at, facts: factsOf(values, words) }
    const next = there ? nextFacts(there.facts, values, { words, how }) : null
    if (next) work.facts = next.after
    if (!there) before.set(work, work.facts)
    if (!there || next) {
      index.add(work)
      touched.add(work)
    }
    return { work, isNew: !there }
  })
  await remember(
    trx,
    how,
    [...touched].map(({ order, facts }) => {
      const flat = flatOf(facts)
      const code = codeOf(flat)
      return {
        key: `work:${order}`,
        leaves: facts,
        code: code === null ? null : digest(code),
        title: digest(titleOf(flat, fold)),
      }
    }),
  )
  return { places, before }
}

/** Above all ids, so that lines come after what the library has. */
const firstOfFile = 2 ** 32

const codeOf = ({ code }: Values): string | null => (typeof code === 'string' ? code : null)

/** Texts as the library compares them. */
type Fold = Map<string, string>
/** What a row tells its work by. */
type Wanted = { code: string | null; title: string }

const titleOf = (work: Values, fold: Fold): string =>
  partsOf(work)
    .map((text) => fold.get(text) ?? text)
    .join('\u0001')

/** What works are kept by between steps: short, and the same for few others, which the works themselves tell apart. */
const digest = (text: string): string =>
  createHash('sha256').update(text).digest().readBigInt64BE().toString()

/** The values of facts as rows give them. */
const flatOf = ({ name, code, tags, reference_data }: Facts): Values =>
  Object.fromEntries([
    ['name', name],
    ['code', code],
    ...Object.entries(tags ?? {}).map(([part, value]) => [`tags.${part}`, value]),
    ...Object.entries(reference_data ?? {}).map(([part, value]) => [`reference_data.${part}`, value]),
  ]) as Values

/** Only the database folds as titles are compared. */
async function foldedTexts(trx: Trx, works: readonly Values[], known: Fold = new Map()): Promise<Fold> {
  const texts = [...new Set(works.flatMap(partsOf))].filter((text) => text !== '' && !known.has(text))
  if (texts.length === 0) return known
  const { rows } = await sql<{ text: string; folded: string }>`
    select text, search_text(text) as folded from unnest(${texts}::text[]) as texts (text)`.execute(trx)
  for (const { text, folded } of rows) known.set(text, folded)
  return known
}

const addTexts = (trx: Trx, fold: Fold, works: readonly MatchedWork[]) =>
  foldedTexts(
    trx,
    works.map(({ facts }) => flatOf(facts)),
    fold,
  )

/** Works that earlier rows of a dry run would have added, or changed. */
async function seenWorks(
  trx: Trx,
  { id, isDry }: How,
  wanted: readonly Wanted[],
  references: readonly number[],
): Promise<Map<number, Facts>> {
  if (!isDry) return new Map()
  const codes = wanted.flatMap(({ code }) => (code === null ? [] : [digest(code)]))
  const titles = wanted.map(({ title }) => digest(title))
  const keys = references.map((reference) => `work:${reference}`)
  // One by one, because the planner would read all that was met otherwise.
  const oneOf = (column: 'key' | 'code' | 'title', values: readonly string[]) => sql`
    select met.key, met.leaves
    from unnest(${[...new Set(values)]}::${sql.raw(column === 'key' ? 'text' : 'bigint')}[]) as wanted (value) cross join lateral (
      select key, leaves from import_seen where import = ${id} and ${sql.ref(column)} = wanted.value offset 0) met`
  const { rows } = await sql<Seen>`
    ${oneOf('key', keys)} union all ${oneOf('code', codes)} union all ${oneOf('title', titles)}`.execute(trx)
  return new Map(rows.map(({ key, leaves }) => [Number(key.slice('work:'.length)), leaves as Facts]))
}

async function knownWorks(
  trx: Trx,
  found: readonly number[],
  seen: ReadonlyMap<number, Facts>,
  { sight }: Exchange,
): Promise<MatchedWork[]> {
  const ids = [...new Set(found)].filter((id) => !seen.has(id))
  if (ids.length > 0)
    await sql`select from "references" where id = any(${ids}::int[]) order by id for no key update`.execute(
      trx,
    )
  const there = ids.length === 0 ? [] : await findReferencesAlone(trx, ids, sight)
  return [
    ...there.map((reference) => ({
      reference: reference.id,
      order: reference.id,
      facts: reference as Facts,
    })),
    ...[...seen].map(([order, facts]) => ({
      reference: order < firstOfFile ? order : null,
      order,
      facts,
    })),
  ]
}

/** What a work that a row adds is known to be from then on. */
function factsOf(work: Values, words: Words): Facts {
  const facts: Record<string, unknown> = { tags: {}, reference_data: {}, price: '0.00' }
  for (const [field, value] of Object.entries(work)) {
    const [group, part] = field.split('.') as [string, string?]
    if (part !== undefined) facts[group] = { ...(facts[group] as object), [part]: String(value) }
    else if (field === 'medium' || field === 'category') {
      const id = words[field === 'medium' ? 'media' : 'categories'].get(String(value)) ?? null
      facts[field] = id === null ? null : { id, name: value }
    } else if (field !== 'keywords') facts[field] = value
  }
  const keywords = (work['keywords'] as readonly string[] | undefined) ?? []
  return { ...facts, keywords: keywords.filter((word) => (words.keywords.get(word) ?? null) !== null) }
}

/** Works by their codes and titles; one whose title has changed since is passed over where it was. */
function indexOfWorks(fold: Fold) {
  const byCode = new Map<string, Set<MatchedWork>>()
  const byTitle = new Map<string, Set<MatchedWork>>()
  const put = (map: Map<string, Set<MatchedWork>>, key: string, work: MatchedWork) =>
    map.set(key, (map.get(key) ?? new Set()).add(work))
  return {
    add: (work: MatchedWork): void => {
      const flat = flatOf(work.facts)
      const code = codeOf(flat)
      if (code !== null) put(byCode, code, work)
      put(byTitle, titleOf(flat, fold), work)
    },
    /** By its code, else by its title; a code tells a work from one of the same title that has another. */
    find: ({ code, title }: Wanted): MatchedWork | null =>
      lowest(code === null ? [] : [...(byCode.get(code) ?? [])]) ??
      lowest(
        [...(byTitle.get(title) ?? [])].filter(
          ({ facts }) =>
            titleOf(flatOf(facts), fold) === title && (code === null || (facts['code'] ?? null) === null),
        ),
      ),
  }
}

const lowest = (works: readonly MatchedWork[]): MatchedWork | null =>
  works.reduce<MatchedWork | null>((low, work) => (low && low.order < work.order ? low : work), null)
