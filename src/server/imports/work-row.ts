import type { Mapping } from '../../contract/imports.ts'
import type { Audience } from '../../domain/age-bands.ts'
import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import type { CopyFrame } from '../../domain/copy-frames.ts'
import { type ImportField, importFieldsOf, type ImportSubject } from '../../domain/import-fields.ts'
import type { Remark } from '../../domain/import-remarks.ts'
import * as read from '../../domain/import-values.ts'
import { readDay } from '../../domain/read-day.ts'
import { shortValue } from '../../domain/short-value.ts'
import { unimarcCopies, type UnimarcCopy } from '../../domain/unimarc-copies.ts'
import { partedTitle, type UnimarcReference, unimarcReference } from '../../domain/unimarc.ts'
import { cut } from '../import-files/cell-text.ts'
import type { NoticeField } from '../import-files/import-file.ts'
import { bytesOf, type WholeRow } from './rows-file.ts'

/** One reason why a row is refused; `field` is the one that would be corrected. */
export type Why = { field: string | null; reason: string }

/** A record as its journal tells it. */
export type Facts = Record<string, unknown>

/** Values of a row by field (`tags.author`), read as their kinds are written; an empty one is left out. */
export type Values = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** What a row brings of the catalogue: a work, and its copies with fields of their own (`bar_code`). */
export type WorkRow = {
  line: number
  at: number
  work: Values
  copies: readonly Values[]
  notice: { format: 'iso2709' | 'marcxml'; content: Buffer } | null
  /** What is to be known of it before it is brought in. */
  remarks: readonly Remark[]
  /** Why it is refused, whatever else is found to be wrong with it. */
  whys: readonly Why[]
}

/** How the fields of notices are read. */
export type NoticeFields = { frame: CopyFrame; lent: Readonly<Record<string, boolean>>; isIsbd: boolean }

/** A row of readers or loans, with its values by field, as far as they can be read, and why it is refused whatever else. */
export type ValueRow = { line: number; at: number; values: Values; whys: readonly Why[] }

type TableRow = Extract<WholeRow, { cells: readonly string[] }>

/** What a field's kind makes of a text; undefined where it is not one. */
function valueOf(
  { kind, name }: ImportField,
  text: string,
  today: CalendarDay,
): string | number | boolean | string[] | undefined {
  // What is behind us was not in the years to come.
  const lastYear = name === 'exit_date' || name === 'end_date' ? undefined : Number(today.slice(0, 4))
  switch (kind) {
    case 'text':
      return text.replaceAll(/[^\S\n]+/g, ' ').trim()
    case 'number':
      return read.isShortenedNumber(text) ? undefined : text
    case 'code':
      return read.readCode(text) ?? undefined
    case 'day':
      return readDay(text, lastYear) ?? undefined
    case 'year':
      return (name === 'birth_year' ? read.readBirthYear : read.readYear)(text, lastYear) ?? undefined
    case 'money':
      return read.readMoney(text) ?? undefined
    case 'flag':
      return read.readFlag(text) ?? undefined
    case 'email':
      return read.readEmail(text) ?? undefined
    case 'list':
      return read.readList(text)
    case 'audience':
      return read.readAudience(text) ?? undefined
    case 'copy_state':
      return read.readCopyState(text) ?? undefined
    case 'copy_type':
      return read.readCopyType(text) ?? undefined
    case 'reader_kind':
      return read.readReaderKind(text) ?? undefined
  }
}

/** The values of a table's row that can be read, and all that is wrong with the others. */
export function readValues(
  { line, at, cells }: TableRow,
  { subject, mapping, today }: { subject: ImportSubject; mapping: Mapping; today: CalendarDay },
): ValueRow {
  const values: Record<string, string | number | boolean | readonly string[]> = {}
  const whys: Why[] = []
  const refuse = (reason: string, field: string) => whys.push({ field, reason })
  const fields = importFieldsOf[subject]
  for (const [index, name] of mapping.entries()) {
    const field = name === null ? undefined : fields.find((one) => one.name === name)
    const text = cells[index]?.trim() ?? ''
    if (!field || text === '') continue
    if (read.isSheetError(text)) {
      refuse(
        `«\u00a0${field.label}\u00a0» affiche l’erreur ${text}\u202f: corrigez la formule de cette cellule, ou effacez-la.`,
        field.name,
      )
      continue
    }
    const value = valueOf(field, text, today)
    if (value === undefined) {
      refuse(`«\u00a0${shortValue(text)}\u00a0» ne va pas dans «\u00a0${field.label}\u00a0».`, field.name)
    } else if (typeof value === 'string' && value.length > field.most) {
      refuse(
        `«\u00a0${field.label}\u00a0» est trop long (${value.length} caractères, au plus ${field.most}).`,
        field.name,
      )
    } else if (value !== '') values[field.name] = value
  }
  for (const { name, label, isRequired } of fields) {
    if (isRequired && values[name] === undefined && !whys.some(({ field }) => field === name)) {
      refuse(`«\u00a0${label}\u00a0» est vide.`, name)
    }
  }
  return { line, at, values, whys }
}

/** What a row of a table or a notice brings of the catalogue. */
export function readWork(
  row: WholeRow,
  mapping: Mapping,
  { today, ...fields }: NoticeFields & { today: CalendarDay },
): WorkRow {
  return 'fields' in row ? readNotice(row, fields) : readLine(row, mapping, today)
}

function readLine(row: TableRow, mapping: Mapping, today: CalendarDay): WorkRow {
  const { line, at, values, whys } = readValues(row, { subject: 'references', mapping, today })
  const work: Record<string, Values[string]> = {}
  const copy: Record<string, Values[string]> = {}
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith('copy.')) copy[name.slice(5)] = value
    else work[name] = value
  }
  const remarks: Remark[] = []
  // Some files repeat the library's code where the call number should be.
  const book_number = work['reference_data.book_number']
  if (book_number !== undefined && book_number === copy['site']) {
    delete work['reference_data.book_number']
    remarks.push(cutOf(`la cote «\u00a0${String(book_number)}\u00a0» répète le site, et n’est pas reprise`))
  }
  const copies = Object.keys(copy).length > 0 ? [copy] : []
  return { line, at, work, copies, notice: null, remarks, whys }
}

function readNotice(
  row: Extract<WholeRow, { fields: unknown }>,
  { frame, lent, isIsbd }: NoticeFields,
): WorkRow {
  const { line, at, original } = row
  const said = unimarcReference(row.fields, row.leader, isIsbd)
  const copies = unimarcCopies(row.fields, frame, lent)
  const [first] = copies
  const audience: Audience | undefined = copies.find((copy) => copy.audience)?.audience
  const work = filled({
    name: cut(said.name, 500),
    code: said.code,
    description: said.description,
    ...prefixed('tags', said.tags),
    ...prefixed('reference_data', said.reference_data),
    'reference_data.book_number': first?.book_number,
    keywords: said.keywords.length > 0 ? said.keywords.map((word) => cut(word, 100)) : undefined,
    medium: first?.medium ?? said.medium ?? undefined,
    audience,
  })
  return {
    line,
    at,
    work,
    copies: copies.map(({ bar_code, site, location, acquired, price, is_lent }) =>
      filled({
        bar_code,
        site,
        location,
        buy_date: acquired && (readDay(acquired) ?? undefined),
        price: price && (read.readMoney(price) ?? undefined),
        status: is_lent ? undefined : 'Non Disponible',
      }),
    ),
    notice: { format: 'text' in original ? 'marcxml' : 'iso2709', content: bytesOf(original) },
    remarks: [...cutsOf(isIsbd ? row.fields : [], said), ...copies.flatMap(remarksOf)],
    whys: said.name === '' ? [{ field: 'name', reason: 'La notice n’a pas de titre (200 $a).' }] : [],
  }
}

const cutOf = (told: string): Remark => ({ kind: 'cut', told })

function cutsOf(fields: readonly NoticeField[], { name, keywords }: UnimarcReference): Remark[] {
  const title = fields.find(({ tag }) => tag === '200')
  const parted = title && partedTitle(title)
  return [
    ...(title && parted !== title
      ? [
          cutOf(
            `${title.subfields.map(({ value }) => value).join(' ')} est lu\u202f: ${parted!.subfields.map(({ code, value }) => `$${code} ${value}`).join(' ')}`,
          ),
        ]
      : []),
    ...(cut(name, 500) === name ? [] : [cutOf(`le titre est coupé après 500 signes\u202f: ${name}`)]),
    ...keywords.flatMap((word) =>
      cut(word, 100) === word ? [] : [cutOf(`un mot-clé est coupé après 100 signes\u202f: ${word}`)],
    ),
  ]
}

function remarksOf(copy: UnimarcCopy): Remark[] {
  const { bar_code, circulation, is_lent, lent_on, due_on, acquired, price } = copy
  const which = bar_code ?? 'sans code-barres'
  const unread = (what: string, value: string) =>
    cutOf(`${which}\u202f: ${what} «\u00a0${shortValue(value)}\u00a0» ne se lit pas, et n’est pas repris`)
  const days = [
    ...(lent_on === undefined ? [] : [`depuis le ${dayWords(lent_on)}`]),
    ...(due_on === undefined ? [] : [`retour prévu le ${dayWords(due_on)}`]),
  ]
  return [
    ...(is_lent
      ? []
      : [
          {
            kind: 'not_lent' as const,
            told: circulation === undefined ? which : `${which} ($o\u202f: ${circulation})`,
          },
        ]),
    ...(days.length > 0 ? [{ kind: 'loan_dates' as const, told: `${which}\u202f: ${days.join(', ')}` }] : []),
    ...(price !== undefined && read.readMoney(price) === null ? [unread('le prix', price)] : []),
    ...(acquired !== undefined && readDay(acquired) === null ? [unread('le jour d’achat', acquired)] : []),
  ]
}

const dayWords = (text: string): string => {
  const day = readDay(text)
  return day === null ? text : frenchDay(day)
}

const prefixed = (prefix: string, named: object) =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [`${prefix}.${name}`, value]))

const filled = (values: Record<string, Values[string] | null | undefined>): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, Values[string]] =>
        entry[1] !== undefined && entry[1] !== null && entry[1] !== '',
    ),
  )
