import type { ArchiveTable } from './archive-table.ts'
import { catalogueTables } from './catalogue-tables.ts'
import { peopleTables } from './people-tables.ts'
import { settingsTables } from './settings-tables.ts'

/** Every table that leaves with a library, each after those that it refers to. */
export const archiveTables: readonly ArchiveTable[] = [...settingsTables, ...catalogueTables, ...peopleTables]

/** Of the whole archive: one that is read must be of a version that is known. */
export const archiveVersion = 1

/** Names of the other entries. */
export const noticesFile = 'notices.mrc'
export const pageFile = 'LISEZ-MOI.html'
export const manifestFile = 'archive.json'
export const imageFile = (reference: number): string => `images/${reference}.webp`
export const conditionsFile = /^conditions\/[0-9a-f]{32}\.pdf$/
export const imageName = /^images\/([1-9]\d{0,9})\.webp$/
