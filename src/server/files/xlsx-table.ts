import { type CellValue, writeXlsxStream } from 'hucre/xlsx'

import type { FileColumn, Table } from './table.ts'

const formats: Partial<Record<FileColumn<never>['kind'], string>> = {
  day: 'dd/mm/yyyy',
  money: '#,##0.00\u00a0"€"',
}

export function xlsxOf<Row>({ title, columns, rows }: Table<Row>): AsyncIterable<Uint8Array> {
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
function cellOf<Row>({ kind, value }: FileColumn<Row>): (row: Row) => CellValue {
  if (kind === 'text' || kind === 'count') return value
  return (row) => {
    const written = value(row)
    if (written === null) return null
    return kind === 'day' ? new Date(`${written}T00:00:00Z`) : Number(written)
  }
}
