/** Texts, calendar days, amounts (`"12.50"`) or counts; null is an empty cell. */
type Values<Row> =
  | { kind: 'text' | 'day' | 'money'; value: (row: Row) => string | null }
  | { kind: 'count'; value: (row: Row) => number | null }

/** `width` counts characters; a printed page has only the columns that are `isPrinted`. */
export type FileColumn<Row> = { title: string; width: number; isPrinted?: true } & Values<Row>

/** `key` is what a caller asks for it by. */
export type KeyedColumn<Row> = FileColumn<Row> & { key: string }

export type Table<Row> = {
  title: string
  about: string
  columns: readonly FileColumn<Row>[]
  rows: AsyncIterable<readonly Row[]>
}
