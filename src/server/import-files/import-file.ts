import { frenchNumber } from '../../domain/french-number.ts'
/** What a file is, judged by its bytes and never by its name. */
export type ImportKind = 'csv' | 'xlsx' | 'ods' | 'iso2709' | 'marcxml'

/** Those that a person may choose, in the order of the screen. */
export const charsets = ['utf-8', 'windows-1252', 'macintosh', 'iso-5426', 'cp850', 'cp437'] as const
export type Charset = (typeof charsets)[number]
/** UTF-16 is read where the file's first bytes or its zeros say so, and cannot be chosen. */
export type FileCharset = Charset | 'utf-16le' | 'utf-16be'

export type FoundCharset = {
  readonly name: FileCharset
  /**
   * `mark`: the file's first bytes say it. `valid`: it is UTF-8 (whose wrong bytes, few or on few rows, are each told on their row).
   * `bytes`: the likeliest by the letters that it makes. `plain`: no sign has an accent, all charsets are alike.
   * `chosen`: by the person.
   */
  readonly how: 'mark' | 'valid' | 'bytes' | 'plain' | 'chosen'
  /**
   * The same lines (three at most, each with an accent, 120 characters at most) in each charset that may be chosen; those of a
   * file in UTF-16 stand under its own name alone.
   */
  readonly samples: Readonly<Partial<Record<FileCharset, readonly string[]>>>
}

export type FileColumn = {
  /** From 0: the place of its value in the cells of a row. */
  readonly index: number
  /** As the file calls it, or « Colonne 3 » where it has no name; never the same twice. */
  readonly name: string
  /** The first values that are not empty, 50 at most, of the first 200 rows. */
  readonly values: readonly string[]
}

type Subfield = { readonly code: string; readonly value: string }
export type NoticeField = {
  /** Three signs. */
  readonly tag: string
  /** Two signs, or empty for a field of control (00X). */
  readonly indicators: string
  /** Of a field of control alone. */
  readonly value: string
  readonly subfields: readonly Subfield[]
}

/** A line of a table that has as many cells as the file has columns; cells hold no NUL and no sign that is none. */
export type TableRow = { readonly type: 'row'; readonly line: number; readonly cells: readonly string[] }

/** A notice that is whole; `line` is its rank from 1, `original` its bytes (ISO 2709) or its element (XML). */
export type NoticeRow = {
  readonly type: 'notice'
  readonly line: number
  readonly leader: string
  readonly fields: readonly NoticeField[]
  readonly original: Uint8Array | string
}

/** What cannot be read, with the reason as a French sentence; `cells` or `original` is what was there, to be handed back. */
export type DamagedRow = {
  readonly type: 'damaged'
  readonly line: number
  readonly reason: string
  readonly cells?: readonly string[]
  readonly original?: Uint8Array | string
}

/**
 * `line` counts as a person does in a spreadsheet: the row of the sheet from 1, header and empty rows included; a CSV cell
 * of several lines is in one row. Rows without any value are left out. For notices it is their rank from 1.
 */
export type ImportRow = TableRow | NoticeRow | DamagedRow

export type ImportFile = {
  readonly kind: ImportKind
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** Null for workbooks, which say it themselves. */
  readonly charset: FoundCharset | null
  /** Of a CSV. */
  readonly delimiter: Delimiter | null
  /** Of a workbook, as their tabs stand; the one that is read. */
  readonly sheets: readonly string[]
  readonly sheet: string | null
  /** Whether the first row names the columns. */
  readonly has_header: boolean
  /** Of a table; none for notices, whose fields have numbers of their own. */
  readonly columns: readonly FileColumn[]
  /**
   * Read from the file each time that it is gone through, as fast as it is asked for and no faster. Throws `ImportFileRefusal`
   * where the rest of the file cannot be read at all; whatever is wrong with one row is a damaged row.
   */
  readonly rows: AsyncIterable<ImportRow>
}

export const delimiters = [';', ',', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

/** What the person chose in place of what was found. */
export type ImportFileOptions = {
  /** Of the file, for the refusals. */
  readonly name: string
  readonly charset?: Charset
  readonly delimiter?: Delimiter
  /** By its name; the first one without it. */
  readonly sheet?: string
  readonly header?: boolean
}

/** The file as a whole cannot be read: `message` is a French sentence for the person. */
export class ImportFileRefusal extends Error {
  override name = 'ImportFileRefusal'
  /** As `ImportRow` counts, where the fault is on one. */
  readonly line: number | null
  constructor(message: string, line: number | null = null) {
    super(message)
    this.line = line
  }
}

/** Bounds of what is read, whatever the file's own size. */
export const bounds = {
  columns: 200,
  sheets: 1000,
  rows: 1_000_000,
  /** Of a table: each is laid out and written in its row, so that a sheet of one value a row, far to the right, would fill a disk. */
  emptyCells: 50_000_000,
  /** Of a sheet of OpenDocument, which says once what many cells hold: a file of 421 bytes had 900,000 rows. */
  repeatedCells: 500_000,
  /** Bytes of the rows as they are kept: a workbook may say one text once for many cells, and a disk is full of them. */
  rowsFile: 500_000_000,
  /** Characters of one row of a CSV. */
  row: 1_000_000,
  /** Characters of one cell: what Excel holds is less. */
  cell: 100_000,
  /** Bytes of one notice in ISO 2709, by its own format. */
  notice: 99_999,
  /** Characters of one notice in XML. */
  xmlNotice: 1_000_000,
  /** Bytes of a workbook, as it lies on the disk and once inflated; and of what is kept of it in memory. */
  workbook: 200_000_000,
  inflated: 2_000_000_000,
  kept: 64_000_000,
} as const

export const tooManyRows = () =>
  new ImportFileRefusal(
    `Le fichier compte plus de ${frenchNumber(bounds.rows)} lignes\u202f: séparez-le en plusieurs.`,
    bounds.rows,
  )
export const tooManyEmptyCells = (line: number) =>
  new ImportFileRefusal(
    `Le tableau a plus de ${frenchNumber(bounds.emptyCells)} cases vides\u202f: retirez les colonnes qui ne servent pas, ou séparez-le en plusieurs.`,
    line,
  )
export const tooManySheets = () =>
  new ImportFileRefusal(`Ce classeur a plus de ${frenchNumber(bounds.sheets)} feuilles.`)
export const tooManyRepeatedCells = (line: number) =>
  new ImportFileRefusal(
    `Le tableau répète plus de ${frenchNumber(bounds.repeatedCells)} cases\u202f: retirez les lignes répétées, ou enregistrez-le au format CSV.`,
    line,
  )
export const tooMuchText = (line: number) =>
  new ImportFileRefusal('Le fichier contient trop de texte\u202f: séparez-le en plusieurs.', line)
export const tooManyColumns = (line: number) =>
  new ImportFileRefusal(
    `La ligne ${frenchNumber(line)} a plus de ${bounds.columns} colonnes\u202f: gardez-en ${bounds.columns} au plus.`,
    line,
  )
