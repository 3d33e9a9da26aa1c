import * as v from 'valibot'

import { updateBeneficiary as updateCall } from '../../contract/beneficiary-changes.ts'
import { importFieldsOf } from '../../domain/import-fields.ts'
import type { Remark } from '../../domain/import-remarks.ts'
import { fullName } from '../../domain/person-names.ts'
import { whyNoBars } from '../../domain/symbology-signs.ts'
import { beneficiariesByIds, type BeneficiaryRow } from '../beneficiaries/beneficiary-queries.ts'
import { beneficiaryFaults, holdNumbersOf } from '../beneficiaries/beneficiary-refusal.ts'
import { addReaders, changeReaders } from '../beneficiaries/write-beneficiaries.ts'
import type { Trx } from '../db/handles.ts'
import { asPart } from '../db/part-of-transaction.ts'
import type { Exchange } from '../http/exchange.ts'
import { isReaderOpen } from '../visibility/visibility.ts'
import { findReaders, type Found, lockReaders, withoutZeros } from './find-readers.ts'
import { findSites, type SiteOf } from './find-sites.ts'
import { type Fold, foldedTexts } from './folded-texts.ts'
import { type How, policyOf, type RowOutcome, takesPlace } from './outcome-of-row.ts'
import { remember, seenBefore } from './seen-keys.ts'
import type { ValueRow, Why } from './work-row.ts'

type Looking = { how: How; siteOf: SiteOf }

/** A row and what its reader may be known by, now or by other rows. */
type Line = ValueRow & { keys: readonly string[] }

/**
 * Brings in readers, by the rules of their form; one with a known number is the same reader. Rows of which none is of the reader of
 * another are brought in together, and the next one once they are.
 */
export async function importReaders(
  trx: Trx,
  rows: readonly ValueRow[],
  how: How,
  exchange: Exchange,
): Promise<RowOutcome[]> {
  const looking = { how, siteOf: await findSites(trx, how, exchange) }
  const fold = await foldedTexts(
    trx,
    rows.flatMap(({ values }) => partsOfName(values)),
  )
  const lines = rows.map((row): Line => ({ ...row, keys: keysOf(row.values, fold) }))
  const seen = await seenBefore(
    trx,
    how,
    lines.flatMap(({ keys }) => keys),
  )
  const linesOf = (keys: readonly string[]) =>
    thoseThatTell(keys.flatMap((key) => (seen.get(key) ?? []) as Line[]))
  const touched = new Set<string>()
  const outcomes: RowOutcome[] = []
  const put = async (of: readonly Line[], earlier: readonly Line[], done: readonly RowOutcome[]) => {
    outcomes.push(...done)
    if (!how.isDry) return
    const befores = done.map((outcome) => ('before' in outcome ? outcome.before : undefined))
    await foldedTexts(
      trx,
      befores.flatMap((was) => (was ? partsOfName(was) : [])),
      fold,
    )
    for (const [at, line] of of.entries()) {
      if (done[at]!.result === 'refused') continue
      // Who was there already may be known by other numbers, and another name, than the row's.
      const was = befores[at]
      const keys = was ? [...line.keys, ...keysOf(was, fold)] : line.keys
      const all = thoseThatTell([...earlier, { ...line, keys }])
      for (const key of new Set(all.flatMap((one) => one.keys))) {
        seen.set(key, thoseThatTell([...linesOf([key]), ...all]))
        touched.add(key)
      }
    }
  }
  const bringInAlone = async (row: Line) => {
    const earlier = linesOf(knownBy(row))
    await put([row], earlier, [await bringInAfter(trx, { earlier, row }, looking, exchange)])
  }
  let waiting: Line[] = []
  const bringInWaiting = async () => {
    const { first, later } = await inTurns(trx, waiting, looking, exchange)
    waiting = []
    await put(
      first.map(({ row }) => row),
      [],
      await bringInEach(trx, first, looking, exchange),
    )
    for (const line of later) await bringInAlone(line)
  }
  for (const line of lines) {
    const known = knownBy(line)
    if (waiting.some(({ keys }) => keys.some((key) => known.includes(key)))) await bringInWaiting()
    if (linesOf(known).length === 0) {
      waiting.push(line)
      continue
    }
    // A card that one of those gives up is free for this one, as in the run itself.
    await bringInWaiting()
    await bringInAlone(line)
  }
  await bringInWaiting()
  await remember(
    trx,
    how,
    [...touched].map((key) => ({ key, leaves: seen.get(key) })),
  )
  return outcomes.toSorted((one, other) => one.at - other.at)
}

/** A row after the earlier lines of a dry run that it depends on, of all of which nothing is left. */
const bringInAfter = (
  trx: Trx,
  { earlier, row }: { earlier: readonly Line[]; row: Line },
  looking: Looking,
  exchange: Exchange,
): Promise<RowOutcome> => {
  if (earlier.length === 0) return bringIn(trx, row, looking, exchange)
  const written = { ...looking, how: { ...looking.how, isDry: false } }
  return asPart(
    trx,
    async () => {
      for (const line of earlier) await bringIn(trx, line, written, exchange)
      return bringIn(trx, row, written, exchange)
    },
    () => false,
  )
}

const inOrder = (lines: readonly Line[]): Line[] =>
  [...new Map(lines.map((line) => [line.at, line])).values()].sort((one, other) => one.at - other.at)

/** Lines of one reader that a later one is tried after: what adds them, and the last that change them. */
const mostEarlier = 8

/** A column that is no number at all may name one reader on every line of a file, and each would be tried after all before it. */
const thoseThatTell = (lines: readonly Line[]): Line[] => {
  const all = inOrder(lines)
  return all.length > mostEarlier ? [all[0]!, ...all.slice(1 - mostEarlier)] : all
}

type Named = Readonly<Record<string, unknown>>

const partsOfName = ({ lastname, firstname }: Named): string[] =>
  [lastname, firstname].map((part) => (typeof part === 'string' ? part : ''))

const nameOf = ({ values: { lastname, firstname } }: ValueRow): string =>
  fullName({ firstname: String(firstname ?? ''), lastname: String(lastname ?? '') })

const keyOfCard = (card: unknown): string => `card:${withoutZeros(card).toLowerCase()}`

/** The numbers that tell a reader from all others, and the name. */
const keysOf = (of: Named, fold: Fold): string[] => [
  ...(of['matricule'] ? [`number:${withoutZeros(of['matricule'])}`] : []),
  ...(of['reader_id'] ? [keyOfCard(of['reader_id'])] : []),
  `name:${partsOfName(of)
    .map((part) => fold.get(part) ?? part)
    .join('|')}`,
]

const isNumbered = ({ values: { matricule, reader_id } }: ValueRow): boolean =>
  matricule !== undefined || reader_id !== undefined

/** By its numbers, else by its name alone. */
const knownBy = (line: Line): string[] =>
  line.keys.filter((key) => !isNumbered(line) || !key.startsWith('name:'))

type FoundRow<R extends ValueRow = ValueRow> = { row: R; found: Found }

/** A row whose reader is that of an earlier one by another number or a name, or whose card an earlier one gives up, comes later. */
async function inTurns(
  trx: Trx,
  rows: readonly Line[],
  { how }: Looking,
  { visibility }: Exchange,
): Promise<{ first: FoundRow<Line>[]; later: Line[] }> {
  const turns: { first: FoundRow<Line>[]; later: Line[] } = { first: [], later: [] }
  if (rows.length === 0) return turns
  const met = new Set<number>()
  const cards = new Set<string>()
  for (const [at, found] of (await findReaders(trx, rows, how, visibility)).entries()) {
    const row = rows[at]!
    const { id, named, card } = found
    const ids = id === null ? named : [id, ...named]
    const isLater = ids.some((one) => met.has(one)) || row.keys.some((key) => cards.has(key))
    if (isLater) turns.later.push(row)
    else turns.first.push({ row, found })
    for (const one of ids) met.add(one)
    if (card) cards.add(keyOfCard(card))
  }
  return turns
}

async function bringIn(trx: Trx, row: ValueRow, looking: Looking, exchange: Exchange): Promise<RowOutcome> {
  const [found] = await findReaders(trx, [row], looking.how, exchange.visibility)
  const [outcome] = await bringInEach(trx, [{ row, found: found! }], looking, exchange)
  return outcome!
}

type Judged = {
  row: ValueRow
  before: BeneficiaryRow | null
  homonym: string | null
  /** What is written of the row: all of it, or what changes; as far as it can be read where it is refused. */
  entries: v.InferOutput<typeof updateCall.body>
  whys: Why[]
  unknown_sites: string[]
}

/** Brings in rows that know nothing of one another; their outcomes are in the order of the rows. */
async function bringInEach(
  trx: Trx,
  rows: readonly FoundRow[],
  { how, siteOf }: Looking,
  exchange: Exchange,
): Promise<RowOutcome[]> {
  if (rows.length === 0) return []
  const ids = rows.flatMap(({ found: { id } }) => id ?? [])
  if (!how.isDry) await lockReaders(trx, ids)
  const before = await readersBefore(trx, ids, exchange)
  const judged = rows.map(({ row, found }) => judge(row, { found, before, how, siteOf }, exchange))
  if (!how.isDry) await holdNumbersOf(trx, judged, exchange)
  const faults = await beneficiaryFaults(trx, judged, exchange)
  for (const [at, { whys }] of judged.entries()) {
    for (const { field, message, isHeld } of faults[at]!) {
      const reason = isHeld && !how.isSync ? `${message} ${passedOnBelow}` : message
      whys.push({ field: fieldOf(field), reason })
    }
  }
  if (!how.isDry) await write(trx, judged, exchange)
  return judged.map(({ row, before: was, homonym, entries, whys, unknown_sites }): RowOutcome => {
    const { line, at } = row
    const name = nameOf(row)
    if (whys.length > 0) return { line, at, result: 'refused', whys, unknown_sites }
    if (was === null) {
      const remarks = remarksOf(name, homonym, entries.reader_id)
      return { line, at, result: 'added', name, copies: 0, remarks }
    }
    if (Object.keys(entries).length === 0) return { line, at, result: 'unchanged', name, copies: 0 }
    const facts = { ...was } as Record<string, unknown>
    const after = { ...facts, ...entries }
    return { line, at, result: 'changed', name, copies: 0, before: facts, after }
  })
}

/** Lines are brought in one after the other, in steps: a card is free only once its line has passed. */
const passedOnBelow =
  'Si une ligne plus bas lui en donne un autre, mettez-la avant celle-ci, ou importez de nouveau les lignes refusées\u202f; pour un échange, ôtez d’abord sa carte à l’un des deux lecteurs.'

/** What is to be known of a reader who is new. */
function remarksOf(name: string, homonym: string | null, card: string | null | undefined): Remark[] {
  const why = card ? whyNoBars('CODE128', card) : null
  return [
    ...(homonym === null
      ? []
      : [{ kind: 'homonym' as const, told: `${name}, à côté du matricule ${homonym}` }]),
    ...(why === null ? [] : [{ kind: 'no_bars' as const, told: `${card} (${name})\u202f: ${why}` }]),
  ]
}

/** The readers who were found, as they are now, by their ids. */
async function readersBefore(
  trx: Trx,
  ids: number[],
  { today }: Exchange,
): Promise<ReadonlyMap<number, BeneficiaryRow>> {
  if (ids.length === 0) return new Map()
  const readers = await beneficiariesByIds(trx, ids, today)
  return new Map(readers.map((reader) => [reader.id, reader]))
}

type Knowing = Looking & {
  found: Found
  before: ReadonlyMap<number, BeneficiaryRow>
}

/** What a row says of its reader, and what is wrong with it that no look at others tells. */
function judge(
  row: ValueRow,
  { found, before: readers, how, siteOf }: Knowing,
  { visibility }: Exchange,
): Judged {
  const { agency, ...others } = row.values
  const whys = [...row.whys]
  const unknown_sites: string[] = []
  const refuse = (field: string | null, reason: string) => {
    // One reason for a field is enough, and the first is the plainest.
    if (field === null || !whys.some((why) => why.field === field)) whys.push({ field, reason })
  }
  if (how.isSync && row.values['matricule'] === undefined) {
    refuse(
      'matricule',
      '«\u00a0Matricule\u00a0» est vide\u202f: la synchronisation reconnaît chacun à son matricule.',
    )
  }
  const where = siteOf(agency, 'agency')
  if ('refused' in where) {
    refuse(where.refused.field, where.refused.reason)
    if (where.refused.unknown_site !== undefined) unknown_sites.push(where.refused.unknown_site)
  }
  const { id, isUnsaid, homonym } = found
  if (isUnsaid) {
    refuse(
      'matricule',
      `Plusieurs lecteurs s’appellent ${nameOf(row)}\u202f: donnez le matricule ou la carte de celui-ci.`,
    )
  }
  const reader = id === null ? null : (readers.get(id) ?? null)
  const isElsewhere = reader !== null && !isReaderOpen(visibility, reader.agency_id)
  if (isElsewhere) refuse('matricule', 'Ce lecteur est d’un autre site.')
  const before = isElsewhere ? null : reader
  // The file's site is for readers who are new.
  const isSiteSaid = agency !== undefined || before === null
  const sent = { ...others, ...(isSiteSaid && !('refused' in where) ? { agency_id: where.site } : {}) }
  const wanted = isElsewhere
    ? {}
    : before === null
      ? { firstname: '', ...sent }
      : changesOf(before, sent, how)
  const faulty = new Set(whys.map(({ field }) => field))
  const read = v.safeParse(updateCall.body, wanted)
  if (!read.success) {
    for (const { field, reason } of faultsOf(read.issues)) {
      faulty.add(field)
      refuse(field, reason)
    }
  }
  const readable = Object.entries(wanted).filter(([name]) => !faulty.has(fieldOf(name)))
  const kept = read.success ? read : v.safeParse(updateCall.body, Object.fromEntries(readable))
  return { row, before, homonym, entries: kept.success ? kept.output : {}, whys, unknown_sites }
}

/** Of what a row says, what takes the place of something else. */
function changesOf(before: BeneficiaryRow, sent: Record<string, unknown>, how: How): Record<string, unknown> {
  const facts = before as unknown as Record<string, unknown>
  const isSame = (field: string, value: unknown) =>
    field === 'matricule' || field === 'reader_id'
      ? withoutZeros(facts[field]) === withoutZeros(value)
      : JSON.stringify(facts[field]) === JSON.stringify(value)
  return Object.fromEntries(
    Object.entries(sent).filter(
      ([field, value]) =>
        !isSame(field, value) &&
        takesPlace(policyOf(how, field === 'agency_id' ? 'agency' : field), facts[field]),
    ),
  )
}

async function write(trx: Trx, judged: readonly Judged[], exchange: Exchange): Promise<void> {
  const passing = judged.filter(({ whys }) => whys.length === 0)
  await addReaders(
    trx,
    passing.flatMap(({ before, entries: { lastname = '', firstname = '', ...others } }) =>
      before === null ? [{ ...others, lastname, firstname }] : [],
    ),
    exchange,
  )
  await changeReaders(
    trx,
    passing.flatMap(({ before, entries }) =>
      before === null || Object.keys(entries).length === 0 ? [] : [{ before, entries }],
    ),
    exchange,
  )
}

type Issues = readonly { message: string; path?: readonly { key: unknown }[] | undefined }[]

/** Each fault, with the field's label before it. */
const faultsOf = (issues: Issues): Why[] =>
  issues.map(({ message, path }) => {
    const key = path?.[0]?.key
    const field = typeof key === 'string' ? fieldOf(key) : null
    const label = importFieldsOf.readers.find(({ name }) => name === field)?.label
    return { field, reason: label ? `«\u00a0${label}\u00a0» ${message}.` : message }
  })

/** How files call what the form calls otherwise. */
const fieldOf = (name: string | null): string | null => (name === 'agency_id' ? 'agency' : name || null)
