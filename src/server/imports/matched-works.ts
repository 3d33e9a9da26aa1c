import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import { isSameTitle, plainVolume } from '../../domain/same-work.ts'
import { findReferencesAlone } from '../catalogue/reference-queries.ts'
import { heldBy } from '../catalogue/write-copy.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { isOneOfCodes } from '../library-facts/held-codes.ts'
import type { Words } from './find-words.ts'
import { findWorks, partsOf } from './find-works.ts'
import { type Fold, foldedTexts } from './folded-texts.ts'
import { nextFacts } from './next-facts.ts'
import { type How, policyOf } from './outcome-of-row.ts'
import { remember, type Seen, seenBefore } from './seen-keys.ts'
import type { Facts, Values, Why, WorkRow } from './work-row.ts'

/** A work that rows are of. `reference` is null until it is written, which a dry run never does. */
export type MatchedWork = {
  reference: number | null
  /** Of works that match a row, the lowest is it: those of the library by their ids, then others by their lines. */
  order: number
  /** What rows so far leave of it. */
  facts: Facts
}

/** A row's work, and whether it was not there before this row; `same_code` names another that has its code. */
export type Place = { work: MatchedWork; isNew: boolean; same_code: string | null }

/** Facts of before these rows, by work; of works that are new, what their first row gives them. */
type Matched = {
  places: ReadonlyMap<number, Place>
  refused: ReadonlyMap<number, readonly Why[]>
  before: ReadonlyMap<MatchedWork, Facts>
}

/** Rows with the bar codes of the copies that they bring. */
type Given = { rows: readonly WorkRow[]; codes: readonly (readonly string[])[]; how: How }

/**
 * Says of each row which work it is of, each row after what those before it would leave: they fill in codes and titles, by which
 * later rows find a work. So it does not matter where a step ends, and a dry run finds what the real one will.
 */
export async function loadWorks(trx: Trx, { rows, codes, how }: Given, exchange: Exchange) {
  const fold = await foldedTexts(trx, textsOf(rows.map(({ work }) => work)))
  const wanted = rows.map(({ work }): Wanted => ({
    code: codeOf(work),
    title: titleOf(work, fold),
    ...toldOf(work, fold),
  }))
  const holders = await holdersOf(trx, how, codes.flat())
  const found = [...(await findWorks(trx, rows)), ...[...holders.values()].map(({ order }) => order)]
  const seen = await seenWorks(trx, how, wanted, found)
  const there = found.filter((order) => order < firstOfFile)
  const known = await knownWorks(trx, { found: there, seen, how }, exchange)
  await foldedTexts(trx, textsOf(known.map(({ facts }) => flatOf(facts))), fold)
  const loaded: Loaded = { fold, wanted, holders, known }
  return {
    /** Why rows are refused, by their place: their work is not told, or copies of theirs stand on another. Those that do not pass leave nothing. */
    refusals: (passes: Passes): ReadonlyMap<number, readonly Why[]> =>
      goThrough({ rows, codes, how }, loaded, { words: noWords, passes, tellsOthers: true }).refused,
    /** The works of the rows that pass, by their place; without those that do not, one may be refused that was not before. */
    match: async (words: Words, passes: Passes): Promise<Matched> => {
      const { places, refused, before, touched } = goThrough({ rows, codes, how }, loaded, {
        words,
        passes,
        tellsOthers: false,
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
      return { places, refused, before }
    },
  }
}

const noWords: Words = {
  media: new Map(),
  categories: new Map(),
  keywords: new Map(),
  locations: new Map(),
  made: 0,
}

type Loaded = {
  fold: Fold
  wanted: readonly Wanted[]
  holders: ReadonlyMap<string, Holder>
  known: readonly MatchedWork[]
}

type Passes = (place: number) => boolean
type Going = {
  words: Words
  passes: Passes
  /** Whether what is wrong with rows that do not pass is told as well. */
  tellsOthers: boolean
}

/** Finds the work of each row that passes, in their order; one that is refused leaves nothing. */
function goThrough(
  { rows, codes, how }: Given,
  { fold, wanted, holders, known }: Loaded,
  { words, passes, tellsOthers }: Going,
) {
  const index = indexOfWorks(fold, policyOf(how, 'reference_data.volume') !== 'keep')
  const works = known.map((work) => ({ ...work }))
  const before = new Map(works.map((work) => [work, work.facts]))
  for (const work of works) index.add(work)
  const claimed = new Map(holders)
  const refused = new Map<number, readonly Why[]>()
  const places = new Map<number, Place>()
  const touched = new Set<MatchedWork>()
  for (const [place, { work: values, at }] of rows.entries()) {
    const isPassing = passes(place)
    if (!isPassing && (!tellsOthers || values['name'] === undefined)) continue
    const own = codes[place]!.flatMap((code) => claimed.get(code) ?? claimed.get(aliked(code)) ?? [])
    const there = index.find(wanted[place]!, own)
    if (there === 'unsaid') {
      refused.set(place, [unsaidVolume(String(values['code']))])
      continue
    }
    const work = there ?? { reference: null, order: firstOfFile + at, facts: factsOf(values, words) }
    const claims = new Map<string, Holder>()
    const taken = codes[place]!.flatMap((code) => {
      const alike = aliked(code)
      const holder = claims.get(code) ?? claimed.get(code) ?? claims.get(alike) ?? claimed.get(alike)
      if (holder) return whyHeld(code, work.order, holder) ?? []
      const own = { bar_code: code, order: work.order, name: String(values['name']) }
      claims.set(code, own).set(alike, own)
      return []
    })
    if (taken.length > 0) refused.set(place, taken)
    if (taken.length > 0 || !isPassing) continue
    for (const [code, holder] of claims) claimed.set(code, holder)
    const same_code = there ? null : index.nameOfCode(wanted[place]!.code)
    const next = there ? nextFacts(there.facts, values, { words, how }) : null
    if (next) work.facts = next.after
    if (!there) before.set(work, work.facts)
    if (!there || next) {
      index.add(work)
      touched.add(work)
    }
    places.set(place, { work, isNew: !there, same_code })
  }
  return { places, before, touched, refused }
}

/** The work that a copy with a bar code stands on: `order` as works have it. */
type Holder = { bar_code: string; order: number; name: string }

/** Codes that differ by case only are one: a key that no code has, because none has an outer space. */
const aliked = (code: string): string => ` ${code.toLowerCase()}`

/** Where copies with these codes, or with ones that differ by case only, stand: in the library, or by earlier lines of a dry run. */
async function holdersOf(trx: Trx, how: How, codes: readonly string[]): Promise<Map<string, Holder>> {
  const holders = new Map<string, Holder>()
  if (codes.length === 0) return holders
  const { rows: held } = await sql<Holder>`
    select c.bar_code, c.reference as order, r.name from copies c join "references" r on r.id = c.reference
    where ${isOneOfCodes(sql`c.bar_code`, codes)} and c.deleted_at is null
    order by c.id desc`.execute(trx)
  const seen = await seenBefore(trx, how, codes.map(keyOfBarCode))
  for (const holder of [...held, ...[...seen.values()].map((leaves) => (leaves as SeenCopy).holder)])
    holders.set(holder.bar_code, holder).set(aliked(holder.bar_code), holder)
  return holders
}

export const keyOfBarCode = (code: string): string => `bar:${code.toLowerCase()}`
/** What a dry run keeps of a copy. */
export type SeenCopy = { holder: Holder; facts: Facts }

/** Why a row of that work may not have a copy with this code, or null. */
function whyHeld(code: string, order: number, holder: Holder): Why | null {
  if (holder.bar_code === code && holder.order === order) return null
  const whose = `d’un exemplaire de «\u00a0${holder.name}\u00a0»`
  return { reason: heldBy(code, holder.bar_code, whose), field: 'copy.bar_code' }
}

const unsaidVolume = (code: string): Why => ({
  reason: `Plusieurs tomes de ce titre ont le code ${code}\u202f: la ligne ne dit pas duquel il s’agit.`,
  field: 'reference_data.volume',
})

/** Above all ids, so that lines come after what the library has. */
const firstOfFile = 2 ** 32

const codeOf = ({ code }: Values): string | null => (typeof code === 'string' ? code : null)

/** What a row tells its work by: its code with `name` and `volume`, or `title`, which is all of its parts. */
type Wanted = { code: string | null; title: string; name: string; volume: string }

const toldOf = (work: Values, fold: Fold): Pick<Wanted, 'name' | 'volume'> => {
  const [name = '', volume = ''] = [work['name'], work['reference_data.volume']].map((value) => {
    const text = String(value ?? '')
    return fold.get(text) ?? text
  })
  return { name, volume: plainVolume(volume) }
}

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

const textsOf = (works: readonly Values[]): string[] => works.flatMap(partsOf)

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
  { found, seen, how }: { found: readonly number[]; seen: ReadonlyMap<number, Facts>; how: How },
  { visibility }: Exchange,
): Promise<MatchedWork[]> {
  const ids = [...new Set(found)].filter((id) => !seen.has(id))
  if (ids.length > 0 && !how.isDry)
    await sql`select from "references" where id = any(${ids}::int[]) order by id for no key update`.execute(
      trx,
    )
  const there = ids.length === 0 ? [] : await findReferencesAlone(trx, ids, visibility)
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

/** Works by their codes and titles; one whose title or code has changed since is passed over where it was. */
function indexOfWorks(fold: Fold, fillsVolume: boolean) {
  const byOrder = new Map<number, MatchedWork>()
  const byCode = new Map<string, Set<MatchedWork>>()
  const byTitle = new Map<string, Set<MatchedWork>>()
  const put = (map: Map<string, Set<MatchedWork>>, key: string, work: MatchedWork) =>
    map.set(key, (map.get(key) ?? new Set()).add(work))
  const withCode = (code: string | null) =>
    code === null ? [] : [...(byCode.get(code) ?? [])].filter(({ facts }) => facts['code'] === code)
  const tells = ({ facts }: MatchedWork) => toldOf(flatOf(facts), fold)
  /** Of works with a row's code, or copies, the one that it is. */
  const among = (works: readonly MatchedWork[], { name, volume }: Wanted): MatchedWork | 'unsaid' | null => {
    const titled = works.filter((work) => isSameTitle(tells(work).name, name))
    const exact = lowest(titled.filter((work) => tells(work).volume === volume))
    if (exact) return exact
    if (volume === '') return titled.length > 1 ? 'unsaid' : (titled[0] ?? null)
    return fillsVolume ? lowest(titled.filter((work) => tells(work).volume === '')) : null
  }
  return {
    add: (work: MatchedWork): void => {
      byOrder.set(work.order, work)
      const flat = flatOf(work.facts)
      const code = codeOf(flat)
      if (code !== null) put(byCode, code, work)
      put(byTitle, titleOf(flat, fold), work)
    },
    nameOfCode: (code: string | null): string | null => {
      const facts = lowest(withCode(code))?.facts
      if (!facts) return null
      const { volume } = (facts['reference_data'] ?? {}) as { volume?: string }
      return `«\u00a0${String(facts['name'])}\u00a0»${volume === undefined ? '' : ` (tome ${volume})`}`
    },
    /**
     * The work that its copies stand on, else that of its code, where title and volume are the same too; else by its title and parts. A
     * code tells a work from one of the same title that has another.
     */
    find: (wanted: Wanted, holders: readonly Holder[]): MatchedWork | 'unsaid' | null => {
      const holding = [...new Set(holders.map(({ order }) => order))].flatMap(
        (order) => byOrder.get(order) ?? [],
      )
      const { code, title } = wanted
      return (
        among(holding, wanted) ??
        among(withCode(code), wanted) ??
        lowest(
          [...(byTitle.get(title) ?? [])].filter(
            ({ facts }) =>
              titleOf(flatOf(facts), fold) === title && (code === null || (facts['code'] ?? null) === null),
          ),
        )
      )
    },
  }
}

const lowest = (works: readonly MatchedWork[]): MatchedWork | null =>
  works.reduce<MatchedWork | null>((low, work) => (low && low.order < work.order ? low : work), null)
