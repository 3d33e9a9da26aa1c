import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'

import { CsvError, type Options, parse, type Parser } from 'csv-parse'
import { parse as parseNow } from 'csv-parse/sync'

import { frenchNumber } from '../../domain/french-number.ts'
import { decoded } from './charsets.ts'
import type { FileBytes } from './file-bytes.ts'
import {
  bounds,
  type Delimiter,
  delimiters,
  type FileCharset,
  ImportFileRefusal,
  tooManyColumns,
  tooManyRows,
} from './import-file.ts'
import { withoutMark } from './formula-mark.ts'

/** A row as it lies in the file, from 1: nothing of it is judged yet, but `fault` says what a stray quotation mark did to it. */
type RawRow = { line: number; cells: string[]; fault?: string }

const sampleLength = 65_536
const sampleRows = 60

const rulesOf = (delimiter: Delimiter): Options => ({
  delimiter,
  // All three, because a file that went through several hands has several.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // Allows « d'après "La garçonne" » in a field without quotes.
  relax_quotes: true,
  max_record_size: bounds.row,
})

/** Of the three, the one that cuts the first rows most alike, and then into most columns. */
export async function findDelimiter(file: FileBytes, charset: FileCharset): Promise<Delimiter> {
  let sample = ''
  for await (const text of decoded(file.pieces(0, sampleLength), charset)) sample += text
  const hint = delimiters.find((delimiter) => sample.startsWith(`sep=${delimiter}`))
  if (hint !== undefined) return hint
  // What the sample's end cuts is no row.
  const whole = file.size > sampleLength ? sample.slice(0, sample.search(/[\r\n][^\r\n]*$/)) : sample
  const rated = delimiters.map((delimiter) => ({ delimiter, ...rate(whole, delimiter) }))
  const several = rated.filter(({ columns }) => columns > 1)
  const [best] = several.toSorted((one, other) =>
    Math.abs(one.alike - other.alike) > 0.05 ? other.alike - one.alike : other.columns - one.columns,
  )
  return best?.delimiter ?? ';'
}

function rate(sample: string, delimiter: Delimiter): { columns: number; alike: number } {
  const rows: string[][] = []
  try {
    parseNow(sample, {
      ...rulesOf(delimiter),
      to: sampleRows,
      on_record: (record: string[]) => {
        if (record.some((cell) => cell.trim() !== '')) rows.push(record)
        return null
      },
    })
  } catch (error) {
    // A quotation mark left open by the end of the sample: what stands before it is rated.
    if (!(error instanceof CsvError)) throw error
  }
  const columns = rows[0]?.length ?? 0
  const same = rows.filter(({ length }) => length === columns).length
  return { columns, alike: rows.length === 0 ? 0 : same / rows.length }
}

/** As fast as they are asked for; throws a refusal where a quotation mark swallows the rest. */
export async function* csvRows(
  file: FileBytes,
  charset: FileCharset,
  delimiter: Delimiter,
): AsyncGenerator<RawRow, void, undefined> {
  const parser = parse({ ...rulesOf(delimiter), raw: true })
  const read = expectNoLength(parser)
  const fed = pipeline(Readable.from(slices(decoded(file.pieces(), charset)), { highWaterMark: 1 }), parser)
  // Told by the loop below; unheard here it would end the process.
  fed.catch(() => undefined)
  let line = 0
  try {
    for await (const one of parser as AsyncIterable<Raw>) {
      for (const { record, isStray } of withoutStray(one, delimiter)) {
        line += 1
        // Excel writes a million empty rows below a table whose columns were painted whole.
        if (line > 2 * bounds.rows) throw tooManyRows()
        // DOS ends a text by a sign of its own.
        if (record.every((cell) => cell.trim() === '' || cell === '\u001a')) continue
        // What Excel writes above the header to say the delimiter.
        if (line === 1 && /^sep=[;,\t|]?$/.test(record[0] ?? '')) continue
        if (line > bounds.rows + 1) throw tooManyRows()
        if (record.length > bounds.columns) throw tooManyColumns(line)
        yield { line, cells: record.map(withoutMark), ...(isStray ? { fault: stray } : {}) }
      }
    }
  } catch (error) {
    // What was read ahead of whoever takes the rows is lost with it.
    throw error instanceof CsvError ? refusalOf(error, read.rows + 1) : error
  }
}

type Raw = { raw: string; record: string[] }

const stray =
  'La ligne a un guillemet de trop\u202f: il s’ouvre au début d’une cellule, et ne se referme que plus bas, au milieu d’un texte.'
const lineEnd = /\r\n|\n|\r/
/** So deep no file is broken that anybody wrote. */
const mostStrays = 20

/** The rows that a record is: several where a quotation mark that is none opened a cell and took the next lines into it. */
function* withoutStray(
  { raw, record }: Raw,
  delimiter: Delimiter,
  depth = 0,
): Generator<{ record: string[]; isStray: boolean }, void, undefined> {
  // A record of more columns than a table has is refused as it is: each of its cells would be sought in all of it.
  const isWide = record.length > 2 * bounds.columns
  if (isWide || !record.some((cell) => isOpenedByStray(cell, raw))) {
    yield { record, isStray: false }
    return
  }
  const [first = '', ...others] = raw.split(lineEnd)
  yield { record: first.split(delimiter), isStray: true }
  const rest = parsed(others.join('\n'), delimiter)
  if (rest !== null && depth < mostStrays)
    for (const one of rest) yield* withoutStray(one, delimiter, depth + 1)
  else for (const line of others) if (line !== '') yield { record: line.split(delimiter), isStray: true }
}

/** The parser gives such a cell back with its quotation mark; so begins, too, one of several lines that quotes something. */
const isOpenedByStray = (cell: string, raw: string): boolean =>
  cell.startsWith('"') && lineEnd.test(cell) && !raw.includes(`"${cell.replaceAll('"', '""')}"`)

/** Null where a quotation mark is left open. */
function parsed(text: string, delimiter: Delimiter): Raw[] | null {
  try {
    // Its options do not tell its types that it gives the text of a record as well.
    return parseNow(text, { ...rulesOf(delimiter), raw: true }) as unknown as Raw[]
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

/**
 * Makes every row its parser's first: it makes an error of each that is longer or shorter than the first, which takes
 * as long as ten rows. Answers how many were read, which the parser knows no more.
 */
function expectNoLength(parser: Parser): { readonly rows: number } {
  const read = { rows: 0 }
  const noneYet = () => 0
  const countOne = () => {
    read.rows += 1
  }
  Object.defineProperty(parser.info, 'records', { get: noneYet, set: countOne })
  return read
}

/** In bytes. */
const slice = 8192

/** A parser reads to the end of what it is given, so that others are served between two slices of it. */
async function* slices(texts: AsyncIterable<string>): AsyncGenerator<Buffer, void, undefined> {
  for await (const text of texts) {
    // In bytes: a cut between the halves of a sign would lose it.
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += slice) {
      if (at > 0) await turn()
      yield bytes.subarray(at, at + slice)
    }
  }
}

function refusalOf({ code }: CsvError, line: number): ImportFileRefusal {
  const quotationMark = `guillemet ouvert sur la ligne ${frenchNumber(line)} n’est pas refermé`
  if (code === 'CSV_QUOTE_NOT_CLOSED') return new ImportFileRefusal(`Un ${quotationMark}.`, line)
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return new ImportFileRefusal(
      `La ligne ${frenchNumber(line)} compte plus de ${frenchNumber(bounds.row)} caractères, ou bien un ${quotationMark}.`,
      line,
    )
  }
  return new ImportFileRefusal(`La ligne ${frenchNumber(line)} n’est pas du CSV.`, line)
}
