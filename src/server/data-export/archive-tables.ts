import { settingsLists } from '../../contract/settings-lists.ts'
import { type ArchiveTable, isStored } from './archive-table.ts'
import { catalogueTables } from './catalogue-tables.ts'
import { peopleTables } from './people-tables.ts'
import { archivedList } from './archived-list.ts'
import { settingsTables } from './settings-tables.ts'

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
