import { pipeline, Readable } from 'node:stream'

import { stringify } from 'csv-stringify'

import { frenchDay } from '../../domain/calendar-day.ts'
import type { FileColumn, Table } from './table.ts'

/** For French spreadsheets: semicolons, decimal commas, UTF-8's mark, and no formula that would run. */
export function csvOf<Row>({ columns, rows }: Table<Row>): AsyncIterable<Uint8Array> {
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

function written<Row>({ kind, value }: FileColumn<Row>, row: Row): string {
  const written = value(row)
  if (typeof written !== 'string') return written === null ? '' : String(written)
  if (kind === 'day') return frenchDay(written)
  return kind === 'money' ? written.replace('.', ',') : written
}
