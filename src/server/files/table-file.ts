import type { FileType } from '../../contract/file-types.ts'
import { csvOf } from './csv-table.ts'
import { pdfOf } from './pdf-table.ts'
import type { Table } from './table.ts'
import { xlsxOf } from './xlsx-table.ts'

export function tableFile<Row>(table: Table<Row>, type: FileType): AsyncIterable<Uint8Array> {
  if (type === 'pdf') return pdfOf(table)
  return type === 'csv' ? csvOf(table) : xlsxOf(table)
}
