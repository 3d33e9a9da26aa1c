import type { Described } from '../../contract/described.ts'
import type { Field } from '../../contract/field-kinds.ts'
import { settingsLists } from '../../contract/settings-lists.ts'
import { type ArchiveTable, deletedAt, ownNumber, type StoredColumn } from './archive-table.ts'
import { catalogueTables } from './catalogue-tables.ts'
import { peopleTables } from './people-tables.ts'
import { settingsTables } from './settings-tables.ts'

const columnOf = ([name, field]: [string, Field]): StoredColumn[] => {
  if (!('archived' in field)) return []
  return [{ title: field.label, ...field.archived, column: name, kind: field.stored }]
}

/** A list of the settings as a file of the archive; it refers to no other. */
const archivedList = ({ name, description: { archive, fields } }: Described): ArchiveTable => ({
  ...archive,
  table: name,
  order: ['id'],
  columns: [ownNumber, ...Object.entries(fields).flatMap(columnOf), deletedAt],
})

/** Every table that leaves with a library, each after those that it refers to. */
export const archiveTables: readonly ArchiveTable[] = [
  ...settingsLists.map(archivedList),
  ...settingsTables,
  ...catalogueTables,
  ...peopleTables,
]

type Since = Pick<ArchiveTable, 'since'>
const sinceOf = ({ since = 1 }: Since): number => since

/** The version of the table or column that came last; an archive of a later one is refused. */
export const archiveVersion = Math.max(
  ...archiveTables.flatMap((table): Since[] => [table, ...table.columns]).map(sinceOf),
)

/** What an archive of a version has; what came later keeps what it holds in a new installation. */
export const archiveTablesOf = (version: number): ArchiveTable[] => {
  const isThere = (one: Since) => sinceOf(one) <= version
  return archiveTables.filter(isThere).map((table) => ({ ...table, columns: table.columns.filter(isThere) }))
}

/** Names of the other entries. */
export const noticesFile = 'notices.mrc'
export const pageFile = 'LISEZ-MOI.html'
export const manifestFile = 'archive.json'
export const imageFile = (reference: number): string => `images/${reference}.webp`
export const conditionsFile = /^conditions\/[0-9a-f]{32}\.pdf$/
export const imageName = /^images\/([1-9]\d{0,9})\.webp$/
