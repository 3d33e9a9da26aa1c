import { type CellValue, writeXlsxStream } from 'hucre/xlsx'

import type { FileColumn, Table } from './table.ts'

const formats: Partial<Record<FileColumn<never>['kind'], string>> = {
  day: 'dd/mm/yyyy',
  money: '#,##0.00\u00a0"€"',
}

export function xlsxOf<Row>({ title, columns, rows }: Table<Row>): AsyncIterable<Uint8Array> {
  async function* records() {
    for await (const page of rows) {
      for (const row of page) yield columns.map((column) => valueOf(column, row))
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

function valueOf<Row>({ kind, value }: FileColumn<Row>, row: Row): CellValue {
  const written = value(row)
  if (typeof written !== 'string') return written
  if (kind === 'day') return new Date(`${written}T00:00:00Z`)
  return kind === 'money' ? Number(written) : written
}
