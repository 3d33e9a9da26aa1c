import { pipeline, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { stringify } from 'csv-stringify'
import { type CellValue, writeXlsxStream } from 'hucre/xlsx'

import type { FileType } from '../../contract/file-types.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import type { Wording } from '../../domain/house-words.ts'
import { frenchMoney } from '../../domain/money.ts'
import { finished, made, openDocument } from '../pdf/open-document.ts'
import { type FileColumn, type Table, valueOf } from './table.ts'

/** For French spreadsheets: semicolons, decimal commas, UTF-8's mark, and no formula that would run. */
function csvOf<Row>({ columns, rows }: Table<Row>): AsyncIterable<Uint8Array> {
  const writer = stringify({
    bom: true,
    delimiter: ';',
    record_delimiter: 'windows',
    escape_formulas: true,
    // The writer looks for its own end of line alone, and a cell's would else begin a row that nothing escapes.
    quoted_match: /[\r\n]/,
    header: true,
    columns: columns.map(({ title }) => title),
  })
  async function* records() {
    for await (const page of rows) {
      for (const row of page) yield columns.map((column) => written(column, row))
    }
  }
  // The writer's reader is told of earlier errors.
  pipeline(Readable.from(records()), writer, () => undefined)
  return writer
}

function written<Row>(column: FileColumn<Row>, row: Row): string {
  const { kind } = column
  const written = valueOf(column, row)
  if (typeof written !== 'string') return written === null ? '' : String(written)
  if (kind === 'day') return frenchDay(written)
  return kind === 'money' ? written.replace('.', ',') : written
}

const formats: Partial<Record<FileColumn<never>['kind'], string>> = {
  day: 'dd/mm/yyyy',
  money: '#,##0.00\u00a0"€"',
}

function xlsxOf<Row>({ title, columns, rows }: Table<Row>): AsyncIterable<Uint8Array> {
  const cells = columns.map(cellOf)
  async function* records() {
    for await (const page of rows) {
      for (const row of page) yield cells.map((cell) => cell(row))
    }
  }
  return writeXlsxStream(records(), {
    name: title,
    columns: columns.map(({ title: header, width, kind }) => {
      const numFmt = formats[kind]
      return { header, width, ...(numFmt ? { numFmt } : {}) }
    }),
    freezePane: { rows: 1 },
  })
}

/** Decided once a column, because a file has millions of cells. */
function cellOf<Row>(column: FileColumn<Row>): (row: Row) => CellValue {
  const { kind } = column
  return (row) => {
    const written = valueOf(column, row)
    if (written === null || kind === 'text' || kind === 'count') return written
    return kind === 'day' ? new Date(`${written}T00:00:00Z`) : Number(written)
  }
}

/** In points, as all of a page. */
const margin = 36
const rowHeight = 16
const fontSize = 8
/** Others are let through after so many rows. */
const rowsAtOnce = 40

/** A4 pages on their side, with titles on each and one cut line a row. */
async function* pdfOf<Row>({ title, about, columns, rows }: Table<Row>): AsyncIterable<Uint8Array> {
  const document = await openDocument({ size: 'A4', layout: 'landscape', margin, info: { Title: title } })
  const places = placesOf(columns.filter(({ isPrinted }) => isPrinted))
  let pages = 0
  let y = Infinity

  const write = (text: string, { x, width, align }: ColumnPlace<Row>) =>
    document.text(text, x, y + 4, { width, height: fontSize, align, ellipsis: true })
  const line = () =>
    document
      .moveTo(margin, y)
      .lineTo(document.page.width - margin, y)
      .lineWidth(0.5)
      .stroke('#b9b2a6')
  const beginPage = () => {
    document.addPage()
    pages += 1
    const { width, height } = document.page
    document.font('bold').fontSize(13).fillColor('#000').text(title, margin, margin, { lineBreak: false })
    document.font('plain').fontSize(fontSize)
    document.text(about, margin, margin + 4, { width: width - 2 * margin, align: 'right' })
    const foot = `Page ${pages}`
    document.text(foot, margin, height - margin - fontSize, {
      width: width - 2 * margin,
      align: 'right',
      height: fontSize,
    })
    y = margin + 24
    document.font('bold')
    for (const place of places) write(place.column.title, place)
    document.font('plain')
    y += rowHeight
    line()
  }
  const drawRow = (row: Row) => {
    if (pages === 0 || y + rowHeight > document.page.height - margin - 2 * fontSize) beginPage()
    for (const place of places) write(printed(place.column, row), place)
    y += rowHeight
    line()
  }

  for await (const page of rows) {
    for (const [n, row] of page.entries()) {
      if (n % rowsAtOnce === 0) await nextTurn()
      drawRow(row)
    }
    yield* made(document)
  }
  if (pages === 0) beginPage()
  yield* finished(document)
}

type ColumnPlace<Row> = { column: FileColumn<Row>; x: number; width: number; align: 'left' | 'right' }

function placesOf<Row>(columns: readonly FileColumn<Row>[]): ColumnPlace<Row>[] {
  const gap = 8
  const [pageWidth] = [841.89]
  const free = pageWidth - 2 * margin - gap * (columns.length - 1)
  const all = columns.reduce((sum, { width }) => sum + width, 0)
  let x = margin
  return columns.map((column) => {
    const width = (free * column.width) / all
    const place = { column, x, width, align: isNumber(column) ? ('right' as const) : ('left' as const) }
    x += width + gap
    return place
  })
}

const isNumber = ({ kind }: Pick<FileColumn<never>, 'kind'>) => kind === 'money' || kind === 'count'

function printed<Row>(column: FileColumn<Row>, row: Row): string {
  const { kind } = column
  const written = valueOf(column, row)
  if (written === null) return ''
  if (typeof written === 'number') return written.toLocaleString('fr-FR')
  if (kind === 'day') return frenchDay(written)
  return kind === 'money' ? frenchMoney(written) : written
}

/** Headings are said in the library's words; what people wrote under them is theirs. */
export function tableFile<Row>(
  written: Table<Row>,
  type: FileType,
  inWords: Wording,
): AsyncIterable<Uint8Array> {
  const columns = written.columns.map((column) => ({ ...column, title: inWords(column.title) }))
  const table = { ...written, title: inWords(written.title), columns }
  if (type === 'pdf') return pdfOf(table)
  return type === 'csv' ? csvOf(table) : xlsxOf(table)
}
