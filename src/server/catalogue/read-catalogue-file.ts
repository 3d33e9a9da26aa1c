import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { CsvError, parse } from 'csv-parse'

import {
  fieldOfHeader,
  type ImportedReference,
  type ImportField,
  importFields,
  isImportField,
} from './import-fields.ts'
import { libraryCodes, readRow } from './import-row.ts'
import { findDelimiter, readFileText } from './import-text.ts'

export type ImportOptions = {
  /** Fields by header, null to leave a column out; columns not named are guessed. */
  mapping?: Readonly<Record<string, ImportField | null>>
  maxBytes?: number
  maxRows?: number
}

export type ImportColumn = { header: string; field: ImportField | null; sample: string }

/** A line with its cells: a reference, or the French reason why it is none. */
export type ImportRow = { line: number; cells: string[] } & (
  { ok: true; reference: ImportedReference } | { ok: false; message: string }
)

/** The file's rows, or the line (from 1) and the French reason why the whole is refused. */
export type CatalogueFile =
  { ok: true; columns: ImportColumn[]; rows: ImportRow[] } | { ok: false; line: number; message: string }

const defaults = { maxBytes: 50_000_000, maxRows: 100_000 }
// A quotation mark that is never closed would swallow the file to its end.
const longestLine = 200_000
const mostColumns = 200

type Line = { line: number; cells: string[] }

/** Reads CSV with a header, in the delimiters and encodings of libraries; never throws for its content. */
export async function readCatalogueFile(
  source: Buffer | Readable,
  options: ImportOptions = {},
): Promise<CatalogueFile> {
  const limits = { ...defaults, ...options }
  const bytes = await readBytes(source, limits.maxBytes)
  if (bytes === null) {
    const most = Math.floor(limits.maxBytes / 1_000_000)
    return refused(1, `Le fichier est trop volumineux, la taille ne doit pas excéder ${most}\u202fMo.`)
  }
  const file = readFileText(bytes)
  if (!file.ok) return file

  const lines: Line[] = []
  const refusal = await readLines(file.text, limits.maxRows, lines)
  if (refusal) return refusal
  const [first, ...rest] = lines
  if (!first) return refused(1, 'Le fichier est vide.')
  if (rest.length === 0)
    return refused(first.line, 'Le fichier ne contient aucune ligne après celle des noms de colonnes.')

  const columns = readHeader(first, rest[0], options.mapping ?? {})
  if (!columns.ok) return columns
  const fields = columns.columns.map(({ field }) => field)
  const codes = libraryCodes(fields, rest)
  return {
    ...columns,
    rows: rest.map(({ line, cells }) => Object.assign({ line, cells }, readRow(fields, cells, codes))),
  }
}

const refused = (line: number, message: string) => ({ ok: false as const, line, message })

async function readBytes(source: Buffer | Readable, maxBytes: number): Promise<Buffer | null> {
  if (Buffer.isBuffer(source)) return source.length > maxBytes ? null : source
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxBytes) return null
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

async function readLines(text: string, maxRows: number, lines: Line[]) {
  let line = 1
  const parser = parse({
    delimiter: findDelimiter(text),
    relax_column_count: true,
    // Allows « d'après "La garçonne" » in a field without quotes.
    relax_quotes: true,
    max_record_size: longestLine,
    on_record: (record: string[], context) => {
      const cells = record.map((cell) => cell.trim())
      if (cells.some((cell) => cell !== '')) {
        if (lines.length > maxRows) throw new TooManyRows()
        lines.push({ line, cells })
      }
      line = context.lines + 1
      return null
    },
  })
  try {
    // Pieces leave the server time for others.
    await pipeline(Readable.from(piecesOf(text)), parser.resume())
  } catch (error) {
    if (error instanceof TooManyRows) {
      return refused(line, `Le fichier compte plus de ${maxRows} lignes\u202f: séparez-le en plusieurs.`)
    }
    if (!(error instanceof CsvError)) throw error
    const isOpen = error.code === 'CSV_MAX_RECORD_SIZE' || error.code === 'CSV_QUOTE_NOT_CLOSED'
    return refused(
      line,
      isOpen ? 'Un guillemet ouvert sur cette ligne n’est pas refermé.' : 'Cette ligne n’est pas du CSV.',
    )
  }
  return null
}

class TooManyRows extends Error {}

function* piecesOf(text: string) {
  for (let at = 0; at < text.length; at += 65_536) yield text.slice(at, at + 65_536)
}

function readHeader(
  { line, cells }: Line,
  sample: Line | undefined,
  mapping: NonNullable<ImportOptions['mapping']>,
): { ok: true; columns: ImportColumn[] } | { ok: false; line: number; message: string } {
  if (cells.length > mostColumns) return refused(line, `Le fichier compte plus de ${mostColumns} colonnes.`)
  const headers = cells.map((cell, at) => cell || `Colonne ${at + 1}`)
  const twice = headers.find((header, at) => headers.indexOf(header) !== at)
  if (twice !== undefined)
    return refused(line, `La colonne «\u00a0${shorten(twice)}\u00a0» figure deux fois.`)
  const unknown = Object.keys(mapping).find((header) => !headers.includes(header))
  if (unknown !== undefined)
    return refused(line, `La colonne «\u00a0${shorten(unknown)}\u00a0» n’est pas dans le fichier.`)

  const chosen = new Set(Object.values(mapping))
  const columns = headers.map((header, at) => {
    const guess = fieldOfHeader(header)
    const field =
      mapping[header] === undefined ? (guess !== null && chosen.has(guess) ? null : guess) : mapping[header]
    return { header, field, sample: sample?.cells[at] ?? '' }
  })
  const fields = columns.map(({ field }) => field).filter((field) => field !== null)
  const strange = fields.find((field) => !isImportField(field))
  if (strange !== undefined) return refused(line, `Le champ «\u00a0${shorten(strange)}\u00a0» n’existe pas.`)
  const double = fields.find((field, at) => fields.indexOf(field) !== at)
  if (double !== undefined) {
    return refused(line, `Deux colonnes donnent le même champ «\u00a0${importFields[double].label}\u00a0».`)
  }
  if (!fields.includes('name')) {
    const found = headers.slice(0, 12).map((header) => `«\u00a0${shorten(header)}\u00a0»`)
    return refused(
      line,
      `La première ligne doit nommer une colonne de titre\u202f; colonnes trouvées\u202f: ${found.join(', ')}.`,
    )
  }
  return { ok: true, columns }
}

/** Shortens values over 40 characters (file 2, section 5). */
const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
