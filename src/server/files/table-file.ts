import type { FileType } from '../../contract/file-types.ts'
import type { Wording } from '../../domain/house-words.ts'
import { csvOf } from './csv-table.ts'
import { pdfOf } from './pdf-table.ts'
import type { Table } from './table.ts'
import { xlsxOf } from './xlsx-table.ts'

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
