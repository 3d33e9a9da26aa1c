import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { CsvError, parse } from 'csv-parse'
import { sql } from 'kysely'

import { isCalendarDay } from '../../domain/calendar-day.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import type { Trx } from '../db/handles.ts'
import { decoded } from '../import-files/charsets.ts'
import { withoutMark } from '../import-files/formula-mark.ts'
import { type ArchiveTable, type CellKind, isMarked, isStored, type StoredColumn } from './archive-table.ts'
import { ArchiveRefusal } from './opened-archive.ts'

const rowsAtOnce = 500
const longestCell = 1_000_000
const longestRow = 4_000_000

/** Brings the rows of one file into its table; `seen` is given each row's cells by title. Answers how many there were. */
export async function readTable(
  trx: Trx,
  table: ArchiveTable,
  bytes: AsyncIterable<Uint8Array>,
  seen: (cells: ReadonlyMap<string, string>) => void = () => undefined,
): Promise<number> {
  const columns = await columnsOf(trx, table)
  let rows: Row[] = []
  let count = 0
  const write = async () => {
    await insert(trx, table, columns, rows)
    rows = []
  }
  for await (const { line, cells } of csvRows(table, bytes)) {
    const byTitle = new Map(table.columns.map(({ title }, at) => [title, cells[at]!]))
    seen(byTitle)
    rows.push(readRow(table, columns, { line, cells }))
    count += 1
    if (rows.length === rowsAtOnce) await write()
  }
  await write()
  return count
}

type Row = (string | null)[]
type Line = { line: number; cells: readonly string[] }

/** A column of the table with the cells that it is made of. */
type Column = {
  name: string
  type: string
  isNullable: boolean
  cells: readonly { at: number; column: StoredColumn }[]
}

async function columnsOf(trx: Trx, { table, columns }: ArchiveTable): Promise<Column[]> {
  const { rows } = await sql<{ name: string; type: string; isNullable: boolean }>`
    select attname as name, format_type(atttypid, atttypmod) as type, not attnotnull as "isNullable"
    from pg_attribute where attrelid = ${`"${table}"`}::regclass and attnum > 0 and not attisdropped
    order by attnum`.execute(trx)
  return rows.flatMap((row) => {
    const cells = columns.flatMap((column, at) =>
      isStored(column) && column.column === row.name ? [{ at, column }] : [],
    )
    return cells.length > 0 ? [{ ...row, cells }] : []
  })
}

/** The lines below the names of the columns, which must be those that are known, in whatever order. */
async function* csvRows(
  { file, columns }: ArchiveTable,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Line, void, undefined> {
  const parser = parse({
    delimiter: ';',
    record_delimiter: '\r\n',
    max_record_size: longestRow,
    relax_column_count: true,
  })
  const fed = pipeline(Readable.from(decoded(bytes, 'utf-8'), { highWaterMark: 1 }), parser)
  // Told by the loop below.
  fed.catch(() => undefined)
  const known = columns.map(({ title }) => title)
  let places: readonly number[] = []
  let line = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      line += 1
      if (line === 1) {
        places = known.map((title) => cells.indexOf(title))
        if (places.includes(-1) || cells.length > known.length) throw wrongColumns(file, cells, known)
      }
      if (cells.length !== known.length) throw notARow(file, line)
      if (line > 1) yield { line, cells: places.map((place) => cells[place]!) }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw notARow(file, line + 1)
  }
  if (line === 0) throw new ArchiveRefusal(`${file} est vide\u202f: le nom de ses colonnes manque.`)
}

const notARow = (file: string, line: number) =>
  new ArchiveRefusal(`${file}, ligne ${frenchNumber(line)}\u202f: ce n’est pas une ligne du tableau.`)

function wrongColumns(file: string, cells: readonly string[], known: readonly string[]): ArchiveRefusal {
  const missing = known.find((title) => !cells.includes(title))
  const extra = cells.find((title, at) => !known.includes(title) || cells.indexOf(title) !== at) ?? ''
  const what =
    missing === undefined
      ? `la colonne «\u00a0${extra.slice(0, 40)}\u00a0» est de trop`
      : `la colonne «\u00a0${missing}\u00a0» manque`
  return new ArchiveRefusal(`${file}\u202f: ${what}.`)
}

function readRow({ file, columns }: ArchiveTable, made: readonly Column[], { line, cells }: Line): Row {
  const value = (at: number): string => {
    const column = columns[at]!
    const cell = cells[at] ?? ''
    return isMarked(column) ? withoutMark(cell) : cell
  }
  const refuse = (title: string) =>
    new ArchiveRefusal(
      `${file}, ligne ${frenchNumber(line)}\u202f: «\u00a0${value(columns.findIndex((one) => one.title === title)).slice(0, 40)}\u00a0» ne va pas dans la colonne «\u00a0${title}\u00a0».`,
    )
  return made.map(({ isNullable, cells: from }) => {
    const [{ at, column }] = from as [Column['cells'][number]]
    if (column.part !== undefined) {
      const parts = from.flatMap(({ at: place, column: { part, title, isKept } }) => {
        const text = value(place)
        if (!isValue('text', text)) throw refuse(title)
        return text === '' && !isKept ? [] : [[part, text]]
      })
      return JSON.stringify(Object.fromEntries(parts))
    }
    const text = value(at)
    if (text === '') return isNullable || column.kind !== 'text' ? null : ''
    if (!isValue(column.kind, text)) throw refuse(column.title)
    return column.kind === 'flag' ? String(text === 'oui') : text
  })
}

const forms: Partial<Record<CellKind, RegExp>> = {
  number: /^-?\d{1,15}$/,
  money: /^-?\d{1,10}\.\d\d$/,
  instant: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/,
  flag: /^(?:oui|non)$/,
}

function isValue(kind: CellKind, text: string): boolean {
  if (text.length > longestCell || /\0|\p{Surrogate}/u.test(text)) return false
  if (kind === 'day') return isCalendarDay(text)
  if (kind === 'instant' && Number.isNaN(Date.parse(text))) return false
  return kind === 'json' ? isJson(text) : (forms[kind]?.test(text) ?? true)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

async function insert(
  trx: Trx,
  { table, anew = {} }: ArchiveTable,
  columns: readonly Column[],
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  const into = sql.join(
    [...columns.map(({ name }) => name), ...Object.keys(anew)].map((name) => sql.ref(name)),
  )
  const values = sql.join([...columns.map(valueSql), ...Object.values(anew).map((value) => sql.lit(value))])
  const given = sql.join(columns.map((_, at) => sql`${rows.map((row) => row[at] ?? null)}::text[]`))
  const as = sql.join(columns.map((_, at) => sql.ref(`c${at}`)))
  await sql`insert into ${sql.table(table)} (${into}) overriding system value
    select ${values} from unnest(${given}) as r (${as})`.execute(trx)
}

const valueSql = ({ type }: Column, at: number) => {
  const cell = sql.ref(`c${at}`)
  return type.endsWith('[]')
    ? sql`array(select jsonb_array_elements_text(${cell}::jsonb))::${sql.raw(type)}`
    : sql`${cell}::${sql.raw(type)}`
}
