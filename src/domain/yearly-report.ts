import {
  type AgeBand,
  ageBands,
  audiences,
  audienceWords,
  readerKindNames,
  readerKinds,
} from './age-bands.ts'
import type { CalendarDay } from './calendar-day.ts'
import type { Right } from './rights.ts'
import type { Period } from './stat-periods.ts'

// What a public library tells each year, as rows of a definition: another form is another definition, and no other code.

/** How what is counted is told apart. What is `fixed` has all its parts, zeros too; the others have those that are met. */
export const reportDimensions = {
  medium: { title: 'Support' },
  audience: { title: 'Public', fixed: partsOf(audiences, audienceWords) },
  reason: { title: 'Motif' },
  age: { title: 'Âge', fixed: ageBands.map((key) => ({ key, label: ageWords(key) })) },
  kind: { title: 'Sorte', fixed: partsOf(readerKinds, readerKindNames) },
  commune: { title: 'Commune' },
  contract: { title: 'Contrat' },
} as const satisfies Record<string, { title: string; fixed?: readonly ReportPart[] }>

export type ReportPart = { key: string; label: string }
export type ReportDimension = keyof typeof reportDimensions

/** What a table counts, one by one; each has its rows in `server/yearly-report/counted.ts`. */
export const counted = ['held', 'acquired', 'withdrawn', 'borrowers', 'loans'] as const
export type Counted = (typeof counted)[number]

export type ReportTable = {
  code: string
  title: string
  about: string
  counts: Counted
  rows: ReportDimension
  columns: ReportDimension | null
  right: Right
}

export const reportTables = [
  {
    code: 'collections',
    title: 'Collections',
    about: 'Les exemplaires présents au dernier jour, ceux à vendre compris.',
    counts: 'held',
    rows: 'medium',
    columns: 'audience',
    right: 'STATISTIC_REFERENCE',
  },
  {
    code: 'acquisitions',
    title: 'Acquisitions',
    about: 'Les exemplaires entrés dans l’année\u202f: à leur date d’achat, sinon au jour de leur saisie.',
    counts: 'acquired',
    rows: 'medium',
    columns: 'audience',
    right: 'STATISTIC_REFERENCE',
  },
  {
    code: 'withdrawals',
    title: 'Éliminations',
    about: 'Les exemplaires sortis du fonds dans l’année, par motif.',
    counts: 'withdrawn',
    rows: 'medium',
    columns: 'reason',
    right: 'STATISTIC_REFERENCE',
  },
  {
    code: 'borrowers_by_age',
    title: 'Emprunteurs actifs, par âge',
    about: 'Qui a emprunté au moins une fois dans l’année, à l’âge atteint cette année-là.',
    counts: 'borrowers',
    rows: 'age',
    columns: null,
    right: 'STATISTIC_BENEFICIARIES',
  },
  {
    code: 'borrowers_by_commune',
    title: 'Emprunteurs actifs, par commune',
    about: 'Les mêmes, par commune de résidence.',
    counts: 'borrowers',
    rows: 'commune',
    columns: null,
    right: 'STATISTIC_BENEFICIARIES',
  },
  {
    code: 'borrowers_by_contract',
    title: 'Emprunteurs actifs, par contrat',
    about: 'Les mêmes, par contrat.',
    counts: 'borrowers',
    rows: 'contract',
    columns: null,
    right: 'STATISTIC_BENEFICIARIES',
  },
  {
    code: 'borrowers_by_kind',
    title: 'Personnes et collectivités',
    about: 'Les mêmes\u202f: personnes d’un côté, classes, crèches et autres collectivités de l’autre.',
    counts: 'borrowers',
    rows: 'kind',
    columns: null,
    right: 'STATISTIC_BENEFICIARIES',
  },
  {
    code: 'loans',
    title: 'Prêts',
    about: 'Les prêts de l’année, par support et par public du titre.',
    counts: 'loans',
    rows: 'medium',
    columns: 'audience',
    right: 'STATISTIC_LOANINGS',
  },
  {
    code: 'loans_by_age',
    title: 'Prêts, par âge de l’emprunteur',
    about: 'Les mêmes, par l’âge de qui empruntait ce jour-là.',
    counts: 'loans',
    rows: 'age',
    columns: null,
    right: 'STATISTIC_LOANINGS',
  },
] as const satisfies readonly ReportTable[]

export type ReportCode = (typeof reportTables)[number]['code']
export const reportCodes = reportTables.map(({ code }) => code)
export const reportTable = (code: ReportCode): ReportTable => reportTables.find((one) => one.code === code)!

/** What is not known of something counted is not zero. */
export const unknownPart: ReportPart = { key: '', label: 'NC' }

export type ReportCell = { row: string; column: string; count: number }

/**
 * Null is « NC » : what nobody recorded, and so is no zero. A part that nothing has is zero as soon as something of the
 * table is known by it.
 */
export function cellOf(
  cells: readonly ReportCell[],
  wanted: { row: string | null; column: string | null },
): number | null {
  const isOf = ({ row, column }: ReportCell) =>
    (wanted.row === null || row === wanted.row) && (wanted.column === null || column === wanted.column)
  const count = cells.filter(isOf).reduce((sum, cell) => sum + cell.count, 0)
  if (count > 0 || cells.length === 0) return count
  const isRowKnown = wanted.row === null || wanted.row === '' || cells.some(({ row }) => row !== '')
  const isColumnKnown =
    wanted.column === null || wanted.column === '' || cells.some(({ column }) => column !== '')
  return isRowKnown && isColumnKnown ? 0 : null
}

/** A year that is not over is told up to today. */
export function reportPeriod(year: number, today: CalendarDay): Period {
  const last = `${year}-12-31`
  return { start_date: `${year}-01-01`, end_date: today < last ? today : last }
}

function partsOf<K extends string>(keys: readonly K[], words: Record<K, string>): ReportPart[] {
  return keys.map((key) => ({ key, label: words[key] }))
}

function ageWords(band: AgeBand): string {
  if (band === 'collectivity') return 'Collectivités'
  return band === '65+' ? '65 ans et plus' : `${band.replace('-', ' à ')} ans`
}

/** What nobody kept of the past, said where figures of the past are read. */
export const countedAsToday = (isMultisite: boolean): string =>
  `Ce que le passé n’a pas gardé est compté comme aujourd’hui\u202f: un exemplaire ${
    isMultisite ? 'au site où il est maintenant, même transféré depuis, et ' : ''
  }avec le support et le public que son titre a maintenant\u202f; un lecteur avec sa commune et son contrat d’aujourd’hui.`
