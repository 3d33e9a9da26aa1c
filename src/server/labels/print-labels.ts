import {
  type countLabels as countLabelsCall,
  mostLabels,
  type printCalibration as printCalibrationCall,
  type printLabels as printLabelsCall,
} from '../../contract/labels.ts'
import type { ListQuery } from '../../contract/list.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import type { LabelSheet } from '../../domain/label-sheets.ts'
import { canWrite, symbologyNames, writableSigns } from '../../domain/symbology-signs.ts'
import { noSuchSite } from '../catalogue/next-bar-code.ts'
import type { ReferenceScope } from '../catalogue/reference-queries.ts'
import type { Db } from '../db/handles.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome, refuse, type Refused } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { drawCalibration, drawLabels, fittingBars, type HowToPrint, type Label } from './draw-labels.ts'
import { countCopies, everyLabelledCopy } from './label-queries.ts'
import { findOffset, findSheet } from './label-sheets.ts'
import { NotReserved, reserveCodes } from './reserve-codes.ts'
import { sitesOfLabels } from './sites-of-labels.ts'

type Printing = VerbInput<typeof printLabelsCall>
type Which = Pick<VerbInput<typeof countLabelsCall>, 'list' | 'query'>

/** The labels of copies, or of codes that no copy has yet. */
export async function printLabels(
  reads: ReadInTurn,
  input: Printing,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { query } = input
  const { parameters } = exchange
  const on = await findPlace(reads, query)
  if (!on.ok) return on
  const how: HowToPrint = {
    ...on.answer,
    first: query.first ?? 1,
    each: query.each ?? 1,
    kind: query.kind ?? 'bar_code',
    show: query.show ?? ['title', 'call_number', 'library'],
    library: parameters.get('work_council'),
  }
  const labels = await (query.type === 'next'
    ? reservedLabels(reads, input, { how, exchange })
    : copiesLabels(reads, input, { how, exchange }))
  return labels.ok ? served('codes-barres', drawLabels(labels.answer, how), exchange) : labels
}

export async function printCalibration(
  reads: ReadInTurn,
  { query }: VerbInput<typeof printCalibrationCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const on = await findPlace(reads, query)
  return on.ok ? served('reglage', drawCalibration(on.answer), exchange) : on
}

/** How many labels a file would hold, which is refused where it is too many. */
export async function countLabels(
  db: Db,
  input: VerbInput<typeof countLabelsCall>,
  exchange: Exchange,
): Promise<Outcome<{ labels: number; wanted: number[] }>> {
  const each = input.query.each ?? 1
  if (input.query.type === 'next') {
    const labels = input.list.limit * each
    return labels > mostLabels ? tooMany(labels) : done({ labels, wanted: [] })
  }
  const found = await copiesOf((read) => read(db), input, exchange)
  if (!found.ok) return found
  const wanted = found.answer.filter((copy) => copy.wanted).map(({ id }) => id)
  return done({ labels: found.answer.length * each, wanted })
}

const served = (
  holds: string,
  bytes: AsyncIterable<Uint8Array>,
  { now, parameters }: Exchange,
): Outcome<ServedFile> =>
  done({ name: fileName(holds, 'pdf', now, parameters.get('timezone')), type: 'pdf', bytes })

async function findPlace(
  reads: ReadInTurn,
  { sheet: key, printer }: { sheet?: string | undefined; printer?: number | undefined },
): Promise<Outcome<Pick<HowToPrint, 'sheet' | 'offset'>>> {
  return reads(async (db) => {
    const sheet = await findSheet(db, key)
    if (!sheet) return notFound('Cette planche n’existe pas.')
    const offset = await findOffset(db, printer)
    return offset ? done({ sheet, offset }) : notFound('Cette imprimante n’existe pas.')
  })
}

const tooMany = (labels: number) =>
  refuse({
    status: 409,
    message: `${frenchNumber(mostLabels)} étiquettes au plus à la fois, et il y en aurait ${frenchNumber(labels)}\u202f: filtrez la liste, ou cochez des références.`,
  })

/** `ids` and `site` are the list's own filters by other names, and so is a `type` that is not « next ». */
function listOf({ list, query: { ids, site, type } }: Which): ListQuery {
  const eq = (field: string, value: string | number) => ({ field, operator: 'eq' as const, value })
  return {
    ...list,
    filters: [
      ...list.filters,
      ...(ids ? [{ field: 'id', operator: 'in' as const, value: ids }] : []),
      ...(site === undefined ? [] : [eq('site', site)]),
      ...(type === undefined || type === 'next' ? [] : [eq('type', type)]),
    ],
  }
}

async function copiesOf(reads: ReadInTurn, input: Which, { visibility, parameters }: Exchange) {
  const scope: ReferenceScope = { visibility, timezone: parameters.get('timezone') }
  const list = listOf(input)
  const labels = (await reads((db) => countCopies(db, list, scope))) * (input.query.each ?? 1)
  if (labels > mostLabels) return tooMany(labels)
  const copies = []
  for await (const some of everyLabelledCopy(reads, list, scope)) copies.push(...some)
  return done(copies)
}

type Asked = { how: HowToPrint; exchange: Exchange }

async function copiesLabels(
  reads: ReadInTurn,
  input: Which,
  { how, exchange }: Asked,
): Promise<Outcome<Label[]>> {
  const copies = await copiesOf(reads, input, exchange)
  if (!copies.ok) return copies
  const sites = await reads(sitesOfLabels)
  const labels: Label[] = []
  for (const { bar_code, site, title, call_number } of copies.answer) {
    const of = sites.get(site)
    const label = { bar_code, title, call_number, symbology: of?.symbology ?? 'CODE128' }
    const refused = how.kind === 'spine' ? null : unprintable(label, how.sheet, of?.name ?? '')
    if (refused) return refused
    labels.push(label)
  }
  return done(labels)
}

/** Codes that are kept for whoever asks under this key, before any copy has them. */
async function reservedLabels(
  reads: ReadInTurn,
  { list, query }: Printing,
  { how, exchange }: Asked,
): Promise<Outcome<Label[]>> {
  const labels = list.limit * how.each
  if (labels > mostLabels) return tooMany(labels)
  const site = query.site ?? exchange.site
  if (site === null) {
    return refuse({
      status: 400,
      message: 'Dites pour quel site sont ces codes-barres\u202f: «\u00a0site\u00a0».',
    })
  }
  const of = (await reads(sitesOfLabels)).get(site)
  if (!of) return notFound(noSuchSite)
  const labelOf = (bar_code: string): Label => ({
    bar_code,
    title: of.name,
    call_number: null,
    symbology: of.symbology,
  })
  const refuses = (code: string) => unprintable(labelOf(code), how.sheet, of.name)
  const codes = await exchange.environment.db
    .transaction()
    .execute((trx) => reserveCodes(trx, { key: query.key, site, count: list.limit, refuses }, exchange))
    .catch((error: unknown) => {
      if (error instanceof NotReserved) return error.refused
      throw error
    })
  if (!codes.ok) return codes
  // Codes that were kept for another sheet may be too long for this one.
  return firstOf(codes.answer, refuses) ?? done(codes.answer.map(labelOf))
}

function firstOf<T, R>(items: readonly T[], of: (item: T) => R | null): R | null {
  for (const item of items) {
    const found = of(item)
    if (found !== null) return found
  }
  return null
}

/** Names the copy whose code has no bars, or none that a scanner would read on such a label. */
function unprintable(label: Label, sheet: LabelSheet, site: string): Refused | null {
  const { bar_code, symbology, title } = label
  const what = `Le code-barres ${bar_code} («\u00a0${title}\u00a0»)`
  const name = symbologyNames[symbology]
  if (!canWrite(symbology, bar_code)) {
    return refuse({
      status: 409,
      message: `${what} ne peut pas s’écrire en ${name}, qui n’écrit que ${writableSigns[symbology]}. Changez-le, ou la symbologie du site ${site}.`,
    })
  }
  return fittingBars(sheet, label)
    ? null
    : refuse({
        status: 409,
        message: `${what} est trop long en ${name} pour des étiquettes de cette largeur\u202f: prenez-en de plus larges.`,
      })
}
