/** What the cells of a column hold: texts, calendar days, amounts (`"12.50"`) or counts; null is an empty one. */
type Values<Row> =
  | { kind: 'text' | 'day' | 'money'; value: (row: Row) => string | null }
  | { kind: 'count'; value: (row: Row) => number | null }

/** A column of a table that is written as a file. `width` counts characters; a printed page holds the columns that say `isPrinted`. */
export type FileColumn<Row> = { title: string; width: number; isPrinted?: true } & Values<Row>

/** A table as it is written: `about` stands under the title of a printed page. */
export type Table<Row> = {
  title: string
  about: string
  columns: readonly FileColumn<Row>[]
  rows: AsyncIterable<readonly Row[]>
}
