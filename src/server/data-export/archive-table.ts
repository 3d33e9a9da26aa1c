import { type RawBuilder, sql } from 'kysely'

import { withMark } from '../import-files/formula-mark.ts'

/** How a value stands in a cell: days and instants as ISO 8601 has them, amounts with a point, flags as oui or non. */
export type CellKind = 'number' | 'money' | 'day' | 'instant' | 'flag' | 'text' | 'json'

/** A column that is brought back; of `part` only what stands under that name in a column of JSON. */
export type StoredColumn = {
  title: string
  about: string
  column: string
  kind: CellKind
  part?: string
  /** An empty part is there, and is not merely missing. */
  isKept?: true
  /** The first version of an archive that has it; the first of all unless said. */
  since?: number
}

/** Only people and other software read it: nothing is restored from it. */
type DerivedColumn = { title: string; about: string; derived: RawBuilder<unknown>; since?: never }

type ArchiveColumn = StoredColumn | DerivedColumn

/** A file of the archive: the rows of a table, known as `t`, in an order that never changes. */
export type ArchiveTable = {
  file: `${string}.csv`
  table: string
  about: string
  columns: readonly ArchiveColumn[]
  order: readonly string[]
  /** Columns that never leave, with what they hold where the rows come back. */
  anew?: Readonly<Record<string, string>>
  /** As of a column. */
  since?: number
}

export const isStored = (column: ArchiveColumn): column is StoredColumn => 'column' in column

const stored =
  (kind: CellKind) =>
  (title: string, column: string, about: string): StoredColumn => ({ title, column, kind, about })

export const number = stored('number')
export const money = stored('money')
export const day = stored('day')
export const instant = stored('instant')
export const flag = stored('flag')
export const text = stored('text')
export const json = stored('json')

export const addedIn = (since: number, column: StoredColumn): StoredColumn => ({ ...column, since })

export const part = (
  title: string,
  [column, name]: readonly [string, string],
  about: string,
  more: { isKept?: true } = {},
): StoredColumn => ({
  title,
  column,
  kind: 'text',
  part: name,
  about,
  ...more,
})

export const derived = (title: string, value: RawBuilder<unknown>, about: string): DerivedColumn => ({
  title,
  derived: value,
  about,
})

export const ownNumber = number(
  'Numéro',
  'id',
  'Le numéro de cette ligne, par lequel les autres fichiers la désignent.',
)
export const deletedAt = instant(
  'Supprimé le',
  'deleted_at',
  'Vide tant que la ligne sert\u202f; sinon l’instant où elle a été retirée, gardée parce que d’anciens prêts peuvent la nommer.',
)
export const changedAt = instant('Modifié le', 'date_update', 'Son dernier changement.')

/** The value of a cell as text, the same in whatever zone or language the database is set to. */
export function cellSql(column: ArchiveColumn): RawBuilder<string | null> {
  if (!isStored(column)) return sql`(${column.derived})::text`
  const value = sql`t.${sql.ref(column.column)}`
  if (column.part !== undefined) return sql`${value} ->> ${sql.lit(column.part)}`
  switch (column.kind) {
    case 'day':
      return sql`to_char(${value}, 'YYYY-MM-DD')`
    case 'instant':
      return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    case 'flag':
      return sql`case when ${value} then 'oui' when not ${value} then 'non' end`
    case 'json':
      return sql`to_jsonb(${value})::text`
    default:
      return sql`${value}::text`
  }
}

/** What a spreadsheet might run is marked in texts alone: a number below zero is one. */
export const isMarked = (column: ArchiveColumn): boolean =>
  !isStored(column) || column.kind === 'text' || column.kind === 'json'

export function csvLine(columns: readonly ArchiveColumn[], values: readonly (string | null)[]): string {
  const cells = columns.map((column, at) => {
    const value = values[at] ?? ''
    return quoted(isMarked(column) ? withMark(value) : value)
  })
  return `${cells.join(';')}\r\n`
}

const quoted = (cell: string) => (/[";\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
