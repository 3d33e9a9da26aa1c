import {
  type countLabels as countLabelsCall,
  labelsOfKind,
  mostLabels,
  type printCalibration as printCalibrationCall,
  type printLabels as printLabelsCall,
} from '../../contract/labels.ts'
import type { ListQuery } from '../../contract/list.ts'
import { dataMatrix } from '../../domain/data-matrix.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import type { LabelSheet } from '../../domain/label-sheets.ts'
import { type SpineWishes, usualSide } from '../../domain/spine-codes.ts'
import { spineLayout } from '../../domain/spine-layout.ts'
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
import { countCopies, everyLabelledCopy, sitesOfLabels } from './label-queries.ts'
import { findOffset, findSheet } from './label-sheets.ts'
import { NotReserved, reserveCodes } from './reserve-codes.ts'

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
    spine: spineOf(query),
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
  const each = labelsOfEach(input.query)
  if (input.query.type === 'next') {
    const labels = input.list.limit * each
    return labels > mostLabels ? tooMany(labels) : done({ labels, wanted: [] })
  }
  const found = await copiesOf((read) => read(db), input, exchange)
  if (!found.ok) return found
  const wanted = found.answer.filter((copy) => copy.wanted).map(({ id }) => id)
  return done({ labels: found.answer.length * each, wanted })
}

/** How many labels a file has of one code. */
const labelsOfEach = ({ each = 1, kind = 'bar_code' }: Which['query']): number =>
  each * labelsOfKind[kind].length

function spineOf({ kind, code, side = usualSide }: Printing['query']): SpineWishes | undefined {
  if (code === undefined && kind !== 'both') return undefined
  return { code: code ?? 'data_matrix', side }
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
  const labels = (await reads((db) => countCopies(db, list, scope))) * labelsOfEach(input.query)
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
    const refused = unprintable(label, how, of?.name ?? '')
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
  const labels = list.limit * labelsOfEach(query)
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
  // Codes that no copy has yet are drawn sooner or later, also where the spine shows none.
  const hasCode = how.kind !== 'spine' || (how.spine && how.spine.code !== 'none')
  const asked: HowToPrint = hasCode ? how : { ...how, kind: 'bar_code' }
  const refuses = (code: string) => unprintable(labelOf(code), asked, of.name)
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

/** Names the copy whose code cannot be on such labels, or not so that a scanner would read it. */
function unprintable(label: Label, how: HowToPrint, site: string): Refused | null {
  const { bar_code, title } = label
  const what = `Le code-barres ${bar_code} («\u00a0${title}\u00a0»)`
  const why = firstOf(labelsOfKind[how.kind], (kind) =>
    kind === 'bar_code' ? whyNoBars(label, how.sheet, site) : whyNotOnSpine(bar_code, how),
  )
  return why === null ? null : refuse({ status: 409, message: `${what} ${why}` })
}

function whyNoBars(label: Label, sheet: LabelSheet, site: string): string | null {
  const { bar_code, symbology } = label
  const name = symbologyNames[symbology]
  if (!canWrite(symbology, bar_code))
    return `ne peut pas s’écrire en ${name}, qui n’écrit que ${writableSigns[symbology]}. Changez-le, ou la symbologie du site ${site}.`
  return fittingBars(sheet, label)
    ? null
    : `est trop long en ${name} pour des étiquettes de cette largeur\u202f: prenez-en de plus larges.`
}

function whyNotOnSpine(bar_code: string, { sheet, spine }: HowToPrint): string | null {
  if (!spine || spineLayout(sheet, bar_code, spine)) return null
  const name = spine.code === 'code_128' ? 'Code 128' : 'Data Matrix'
  // Both write the same signs.
  if (!canWrite('CODE128', bar_code))
    return `ne peut pas s’écrire en ${name}, qui n’écrit que ${writableSigns.CODE128}. Changez-le, ou imprimez la cote sans code.`
  if (spine.code === 'code_128')
    return `est trop long en ${name}, le long du dos, pour des étiquettes de cette taille\u202f: prenez-en de plus grandes, ou un Data Matrix.`
  return dataMatrix(bar_code)
    ? `n’a pas la place d’un ${name} de ${spine.side}\u00a0mm, avec la cote, sur des étiquettes de cette taille\u202f: prenez-en de plus grandes, ou un ${name} plus petit.`
    : `est trop long en ${name}\u202f: imprimez la cote sans code.`
}
