import type { Described } from '../../contract/described.ts'
import type { Field } from '../../contract/field-kinds.ts'
import { settingsLists } from '../../contract/settings-lists.ts'
import {
  type ArchiveTable,
  isStored,
  type CellKind,
  deletedAt,
  ownNumber,
  type StoredColumn,
} from './archive-table.ts'
import { catalogueTables } from './catalogue-tables.ts'
import { peopleTables } from './people-tables.ts'
import { settingsTables } from './settings-tables.ts'

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
const archivedList = ({ name, description }: Described): ArchiveTable => {
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

/** Every table that leaves with a library, each after those that it refers to. */
export const archiveTables: readonly ArchiveTable[] = [
  ...settingsLists.map(archivedList),
  ...settingsTables,
  ...catalogueTables,
  ...peopleTables,
]

/** Of the whole archive: one that is read must be of a version that is known. */
export const archiveVersion = 4

/** What an archive of a version has; what came later keeps what it holds in a new installation. */
export const archiveTablesOf = (version: number): ArchiveTable[] => {
  const isThere = (one: { since?: number }) => (one.since ?? 1) <= version
  return archiveTables.filter(isThere).map((table) => ({
    ...table,
    columns: table.columns.filter((column) => !isStored(column) || isThere(column)),
  }))
}

/** Names of the other entries. */
export const noticesFile = 'notices.mrc'
export const pageFile = 'LISEZ-MOI.html'
export const manifestFile = 'archive.json'
export const imageFile = (reference: number): string => `images/${reference}.webp`
export const conditionsFile = /^conditions\/[0-9a-f]{32}\.pdf$/
export const imageName = /^images\/([1-9]\d{0,9})\.webp$/
