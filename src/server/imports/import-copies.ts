import { sql } from 'kysely'

import { cleanScan } from '../../domain/bar-code.ts'
import { copiesByIds } from '../catalogue/copy-queries.ts'
import { takeNextBarCodes } from '../catalogue/next-bar-code.ts'
import { ofShelf, wantLabelsOf } from '../catalogue/write-copy.ts'
import type { Trx } from '../db/handles.ts'
import { insertRows } from '../db/insert-rows.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import {
  codesOfCards,
  holdBarCodes,
  isOneOfCodes,
  ofCard,
  shelvesOfCodes,
} from '../library-facts/held-codes.ts'
import { releaseCopy } from '../queue/lock-queue.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { findSites, type SiteRefusal } from './find-sites.ts'
import type { Batch, Wanted } from './import-batch.ts'
import { keyOfBarCode, type SeenCopy } from './matched-works.ts'
import { type How, policyOf, takesPlace } from './outcome-of-row.ts'
import { remember, seenBefore } from './seen-keys.ts'
import type { Facts, Values, WorkRow } from './work-row.ts'

/** By the place of the row. */
type CopiesDone = { added: Map<number, Wanted[]>; changed: Set<number> }

type Held = { id: number; bar_code: string; site: number }

/**
 * Copies that a row brings, the codes of which it is asked on what title they stand, and all that is wrong with its copies, for which it
 * is refused as a whole.
 */
type CopyPlan = { wanted: Wanted[]; codes: string[]; refused: SiteRefusal[] }

/** In the order of the rows. */
export async function planCopies(
  trx: Trx,
  rows: readonly WorkRow[],
  how: How,
  exchange: Exchange,
): Promise<CopyPlan[]> {
  const siteOf = await findSites(trx, how, exchange)
  const codes = rows.flatMap(({ copies }) => copies.flatMap((values) => codeOf(values) ?? []))
  // What is only tried holds none: a whole file of them is more than the database has room for.
  if (!how.isDry) await holdBarCodes(trx, codes)
  const held = await copiesHeld(trx, codes)
  const shelves = await shelvesOfCodes(trx, codes)
  const cards = await codesOfCards(trx, codes)
  const whyNotCode = (bar_code: string): string | null => {
    const small = bar_code.toLowerCase()
    const holder = held.get(bar_code) ?? held.get(small)
    if (holder) {
      return isSiteOpen(exchange.visibility, holder.site)
        ? null
        : `Le code-barres ${bar_code} est celui d’un exemplaire d’un autre site.`
    }
    const shelf = shelves.get(small)
    if (shelf !== undefined) return ofShelf(bar_code, shelf)
    return cards.has(small) ? ofCard(bar_code) : null
  }
  return rows.map(({ copies }) => {
    const [wanted, codes, refused]: [Wanted[], string[], SiteRefusal[]] = [[], [], []]
    const refuse = (why: SiteRefusal) => {
      // Copies of one notice often have the same site.
      if (!refused.some(({ reason }) => reason === why.reason)) refused.push(why)
    }
    // A work without copies in the file gets one, where they are numbered here.
    for (const values of copies.length > 0 ? copies : [{}]) {
      const bar_code = codeOf(values)
      if (bar_code === null && !how.choices.numbers_copies) continue
      const where = siteOf(values['site'], 'copy.site')
      if ('refused' in where) refuse(where.refused)
      else if (where.site === null) refuse({ reason: noSite, field: 'copy.site' })
      else wanted.push({ values, bar_code, site: where.site })
      const why = bar_code === null ? null : whyNotCode(bar_code)
      if (why !== null) refuse({ reason: why, field: 'copy.bar_code' })
      else if (bar_code !== null) codes.push(bar_code)
    }
    return { wanted, codes, refused }
  })
}

const noSite = 'La ligne ne dit pas de quel site est l’exemplaire\u202f: choisissez-en un pour le fichier.'

const codeOf = (values: Values): string | null =>
  typeof values['bar_code'] === 'string' ? cleanScan(values['bar_code']) : null

type Placed = Wanted & { at: number }
type Known = Placed & { bar_code: string }
type Numbered = Placed & { isNumberedHere: boolean }

/** Adds the copies that rows bring; one whose bar code is known already is left, or changed by each field's policy. */
export async function importCopies(trx: Trx, batch: Batch, exchange: Exchange): Promise<CopiesDone> {
  const done: CopiesDone = { added: new Map(), changed: new Set() }
  const wanted = batch.copies.flatMap((ofRow, at): Placed[] =>
    ofRow
      // A work that was there has its copies already, with numbers of their own.
      .filter(({ bar_code }) => bar_code !== null || batch.places[at]!.isNew)
      .map((one) => ({ ...one, at })),
  )
  const codes = wanted.flatMap(({ bar_code }) => bar_code ?? [])
  const held = await copiesHeld(trx, codes)
  const seen = await seenBefore(trx, batch.how, codes.map(keyOfBarCode))
  const fresh: Placed[] = []
  const known: Known[] = []
  const taken = new Set<string>()
  for (const one of wanted) {
    const { bar_code } = one
    if (
      bar_code !== null &&
      (held.has(bar_code) || taken.has(bar_code) || seen.has(keyOfBarCode(bar_code)))
    ) {
      known.push({ ...one, bar_code })
    } else {
      if (bar_code !== null) taken.add(bar_code)
      fresh.push(one)
    }
  }
  const ids = await addCopies(trx, { batch, fresh, done }, exchange)
  for (const { id, bar_code } of held.values()) ids.set(bar_code, id)
  const facts = await copiesKnown(
    trx,
    [...new Set(known.map(({ bar_code }) => bar_code))].flatMap((code) => ids.get(code) ?? []),
    batch.how,
    exchange,
  )
  if (batch.how.isDry) {
    for (const { bar_code, values } of fresh)
      if (bar_code !== null) facts.set(bar_code, factsOf(values, batch.words))
    for (const code of codes)
      if (seen.has(keyOfBarCode(code))) facts.set(code, (seen.get(keyOfBarCode(code)) as SeenCopy).facts)
  }
  const changed = await changeCopies(trx, { batch, known, facts, ids, done }, exchange)
  const standsAt = new Map(wanted.map(({ bar_code, at }) => [bar_code, at]))
  const touched = batch.how.isDry ? [...new Set([...taken, ...changed])] : []
  await remember(
    trx,
    batch.how,
    touched.map((code) => {
      const { order, facts: work } = batch.places[standsAt.get(code)!]!.work
      const leaves: SeenCopy = {
        holder: { bar_code: code, order, name: String(work['name']) },
        facts: toldOf(facts.get(code)!),
      }
      return { key: keyOfBarCode(code), leaves }
    }),
  )
  return done
}

/** By their codes, and by these in small letters: codes that differ by case only are one. */
async function copiesHeld(trx: Trx, codes: readonly string[]): Promise<Map<string, Held>> {
  if (codes.length === 0) return new Map()
  const { rows } = await sql<Held>`
    select id, bar_code, site from copies
    where ${isOneOfCodes(sql`bar_code`, codes)} and deleted_at is null`.execute(trx)
  const held = new Map(rows.map((row) => [row.bar_code, row]))
  for (const row of rows) {
    const small = row.bar_code.toLowerCase()
    if (!held.has(small)) held.set(small, row)
  }
  return held
}

/** Copies as they are, by their bar codes, locked unless they are only looked at. */
async function copiesKnown(
  trx: Trx,
  ids: number[],
  { isDry }: How,
  { visibility }: Exchange,
): Promise<Map<string, Facts>> {
  if (ids.length === 0) return new Map()
  if (!isDry) await sql`select from copies where id = any(${ids}::int[]) order by id for update`.execute(trx)
  const copies = await copiesByIds(trx, ids, visibility)
  return new Map(copies.map((copy): [string, Facts] => [copy.bar_code, copy as Facts]))
}

type Adding = { batch: Batch; fresh: readonly Placed[]; done: CopiesDone }

/** Adds copies that nobody had, and answers their ids by bar code. */
async function addCopies(
  trx: Trx,
  { batch: { places, words, how }, fresh, done }: Adding,
  exchange: Exchange,
): Promise<Map<string, number>> {
  for (const one of fresh) done.added.set(one.at, [...(done.added.get(one.at) ?? []), one])
  if (how.isDry || fresh.length === 0) return new Map()
  const numbered = await numberEach(trx, fresh)
  const ids = await insertRows(
    trx,
    'copies',
    numbered.map(({ at, values, bar_code, site }) => ({
      reference: places[at]!.work.reference!,
      bar_code: bar_code!,
      site,
      location: words.locations.get(String(values['location'])) ?? null,
      buy_date: (values['buy_date'] as string | undefined) ?? null,
      price: (values['price'] as string | undefined) ?? null,
      cycle_type: null,
      cycle_value: null,
      sent_from: null,
      sent_at: null,
      withdrawn_on: null,
      withdrawal_reason: null,
      deleted_at: null,
      status: values['status'] ?? 'Disponible',
      state: values['state'] ?? delivered.state,
      type: values['type'] ?? delivered.type,
    })),
  )
  // A code that came with the file is on the copy already.
  const unlabelled = ids.filter((_, index) => numbered[index]!.isNumberedHere)
  await wantLabelsOf(trx, unlabelled, exchange.now)
  const copies = await copiesByIds(trx, ids, exchange.visibility)
  await journalEach(
    trx,
    exchange,
    copies.map((after) => ({
      action: 'copies.add',
      entity: 'copies',
      entity_id: after.id,
      before: null,
      after,
    })),
  )
  return new Map(copies.map(({ bar_code, id }) => [bar_code, id]))
}

const delivered = { state: 'VERY_GOOD', type: 'Location' }

/** What a copy that a row adds is known to be from then on. */
function factsOf(values: Values, words: Batch['words']): Facts {
  const location = words.locations.get(String(values['location'])) ?? null
  return {
    ...delivered,
    ...Object.fromEntries(
      Object.entries(copyColumns).flatMap(([field, { told }]) =>
        values[field] === undefined ? [] : [[told, values[field]]],
      ),
    ),
    location: location === null ? null : { id: location, label: values['location'] },
  }
}

/** Gives the next codes of their sites to copies without one; whoever asked for it was told that the site numbers them. */
async function numberEach(trx: Trx, fresh: readonly Placed[]): Promise<Numbered[]> {
  const numbered = fresh.flatMap((one): Numbered[] =>
    one.bar_code === null ? [] : [{ ...one, isNumberedHere: false }],
  )
  const without = fresh.filter(({ bar_code }) => bar_code === null)
  for (const site of new Set(without.map((one) => one.site))) {
    const ofSite = without.filter((one) => one.site === site)
    const codes = await takeNextBarCodes(trx, site, ofSite.length)
    if (!codes.ok) throw new Error(codes.refusal.message)
    numbered.push(
      ...ofSite.map((one, index) => ({ ...one, bar_code: codes.answer[index]!, isNumberedHere: true })),
    )
  }
  return numbered
}

type Changing = {
  batch: Batch
  known: readonly Known[]
  facts: Map<string, Facts>
  ids: ReadonlyMap<string, number>
  done: CopiesDone
}

/** Changes what each field's policy lets through of copies that were there, or come from an earlier row; answers their bar codes. */
async function changeCopies(
  trx: Trx,
  { batch: { words, how }, known, facts, ids, done }: Changing,
  exchange: Exchange,
): Promise<Set<string>> {
  const changed = new Set<string>()
  for (const { bar_code, at, values } of known) {
    const before = facts.get(bar_code)
    if (!before) continue
    const columns: Record<string, unknown> = {}
    const after: Facts = { ...before }
    for (const [field, column] of Object.entries(copyColumns)) {
      const value = values[field]
      if (value === undefined) continue
      const isPlace = field === 'location'
      const id_of_word = isPlace ? (words.locations.get(String(value)) ?? null) : null
      const is = isPlace ? before['location'] : before[column.told]
      const same = isPlace ? (is as { id: number } | null)?.id === id_of_word : is === value
      if (same || (isPlace && id_of_word === null) || !takesPlace(policyOf(how, `copy.${field}`), is))
        continue
      columns[field] = isPlace ? id_of_word : value
      after[column.told] = isPlace ? { id: id_of_word, label: value } : value
    }
    if (Object.keys(columns).length === 0) continue
    done.changed.add(at)
    facts.set(bar_code, after)
    changed.add(bar_code)
    if (how.isDry) continue
    const id = ids.get(bar_code)!
    await trx.updateTable('copies').set(columns).where('id', '=', id).execute()
    if (columns['type'] === 'Vente') await releaseCopy(trx, { id, reference: Number(before['reference']) })
    const [now] = await copiesByIds(trx, [id], exchange.visibility)
    await journalEach(trx, exchange, [
      { action: 'copies.change', entity: 'copies', entity_id: id, before, after: now ?? after },
    ])
  }
  return changed
}

/** How a copy's journal calls what a row says of it. */
const copyColumns: Record<string, { told: string }> = {
  location: { told: 'location' },
  state: { told: 'state' },
  buy_date: { told: 'buy_date' },
  price: { told: 'own_price' },
  type: { told: 'type' },
}

/** What a row may change of a copy, of which a dry run keeps no more. */
const toldOf = (facts: Facts): Facts =>
  Object.fromEntries(Object.values(copyColumns).map(({ told }) => [told, facts[told] ?? null]))
