import type { Described } from '../../contract/described.ts'
import type { Field } from '../../contract/field-kinds.ts'
import { type ArchiveTable, type CellKind, deletedAt, ownNumber, type StoredColumn } from './archive-table.ts'

const cellKinds: Record<Exclude<Field['kind'], 'counted'>, CellKind> = {
  text: 'text',
  code: 'text',
  barCode: 'text',
  choice: 'text',
  count: 'number',
  length: 'number',
  stamped: 'instant',
  switched: 'flag',
}

const columnOf = ([name, field]: [string, Field]): StoredColumn[] => {
  if (field.kind === 'counted') return []
  const { title = field.label, about, since } = field.archived
  return [
    { title, about, column: name, kind: cellKinds[field.kind], ...(since === undefined ? {} : { since }) },
  ]
}

/** A list of the settings as a file of the archive; it refers to no other. */
export const archivedList = ({ name, description }: Described): ArchiveTable => {
  const { file, about, since } = description.archive
  return {
    file,
    table: name,
    about,
    order: ['id'],
    columns: [ownNumber, ...Object.entries(description.fields).flatMap(columnOf), deletedAt],
    ...(since === undefined ? {} : { since }),
  }
}
