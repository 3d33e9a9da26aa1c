/** Texts, calendar days, amounts (`"12.50"`) or counts; null is an empty cell. */
type Values<Row> =
  | { kind: 'text' | 'day' | 'money'; value: Taken<Row, string | null> }
  | { kind: 'count'; value: Taken<Row, number | null> }
/** A field of the row by its name, or what is made of the row. */
type Taken<Row, Value> =
  | { [Name in keyof Row & string]: Row[Name] extends Value ? Name : never }[keyof Row & string]
  | ((row: Row) => Value)

type Cell = string | number | null

/** `width` counts characters; a printed page has only the columns that are `isPrinted`. */
export type FileColumn<Row> = { title: string; width: number; isPrinted?: true } & Values<Row>

export function valueOf<Row>({ value }: FileColumn<Row>, row: Row): Cell {
  const taken = value as unknown as string | ((row: Row) => Cell)
  return typeof taken === 'function' ? taken(row) : ((row as unknown as Record<string, Cell>)[taken] ?? null)
}

/** `key` is what a caller asks for it by. */
export type KeyedColumn<Row> = FileColumn<Row> & { key: string }

export type Table<Row> = {
  title: string
  about: string
  columns: readonly FileColumn<Row>[]
  rows: AsyncIterable<readonly Row[]>
}
