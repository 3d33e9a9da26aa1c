import { createHash } from 'node:crypto'

import * as v from 'valibot'

import { bytesOnDisk } from '../import-files/file-bytes.ts'
import { openArchive } from '../import-files/zip-entries.ts'
import type { ArchiveTable } from './archive-table.ts'
import {
  archiveTablesOf,
  archiveVersion,
  conditionsFile,
  imageName,
  manifestFile,
  noticesFile,
  pageFile,
} from './archive-tables.ts'

/** Why an archive is not read: a French sentence for the person. */
export class ArchiveRefusal extends Error {
  override name = 'ArchiveRefusal'
}

export type OpenedArchive = {
  made_at: string
  /** What an archive of its version has. */
  tables: readonly ArchiveTable[]
  names: ReadonlySet<string>
  /** Of a file that the archive's own list names; its end refuses what is not as that list says. */
  listed(name: string): AsyncGenerator<Uint8Array>
  /** Of a picture or a document, whole. */
  whole(name: string, most: number): Promise<Buffer>
}

const rules = {
  what: 'Cette archive',
  size: 200_000_000_000,
  tooLarge: 'Cette archive est trop grande.',
  entries: 3_000_000,
  directory: 400_000_000,
  inflated: 400_000_000_000,
}
const longestManifest = 1_000_000

const manifest = v.object({
  comptoir: v.pipe(v.number(), v.integer(), v.minValue(1)),
  made_at: v.pipe(v.string(), v.isoTimestamp()),
  files: v.record(v.string(), v.object({ rows: v.number(), sha256: v.string() })),
})

/** Whether a file is an archive of a library, rather than a file to be imported. */
export async function isArchive(path: string): Promise<boolean> {
  if (!path.toLowerCase().endsWith('.zip')) return false
  const archive = await openArchive(await bytesOnDisk(path), rules).catch(() => null)
  return archive === null || !(archive.names.has('xl/workbook.xml') || archive.names.has('content.xml'))
}

/** Opens an archive and checks that nothing of it is missing, or there that should not be. */
export async function openLibraryArchive(path: string): Promise<OpenedArchive> {
  const archive = await openArchive(await bytesOnDisk(path), rules)
  if (!archive.names.has(manifestFile)) {
    throw new ArchiveRefusal(
      'Ce fichier zip n’est pas une archive de Comptoir\u202f: archive.json n’y est pas.',
    )
  }
  const { comptoir, made_at, files } = await readManifest(archive.bytes(manifestFile, longestManifest))
  if (comptoir > archiveVersion) {
    throw new ArchiveRefusal(
      'Cette archive a été faite par une version plus récente de Comptoir\u202f: installez cette version.',
    )
  }
  const tables = archiveTablesOf(comptoir)
  const needed = [noticesFile, pageFile, ...tables.map(({ file }) => file)]
  const missing = needed.find((name) => !archive.names.has(name))
  if (missing !== undefined) throw new ArchiveRefusal(`Il manque ${missing} à cette archive.`)
  const isKnown = (name: string) =>
    name === manifestFile || needed.includes(name) || imageName.test(name) || conditionsFile.test(name)
  const unknown = [...archive.names].find((name) => !isKnown(name))
  if (unknown !== undefined) {
    throw new ArchiveRefusal(
      `Cette archive contient un fichier qui n’y a pas sa place\u202f: «\u00a0${unknown.slice(0, 80)}\u00a0».`,
    )
  }
  return {
    made_at,
    tables,
    names: archive.names,
    async *listed(name) {
      const print = createHash('sha256')
      for await (const piece of archive.bytes(name)) {
        print.update(piece)
        yield piece
      }
      if (print.digest('hex') !== files[name]?.sha256) {
        throw new ArchiveRefusal(`${name} est abîmé, ou a été changé depuis que l’archive a été faite.`)
      }
    },
    async whole(name, most) {
      const pieces: Uint8Array[] = []
      for await (const piece of archive.bytes(name, most)) pieces.push(piece)
      return Buffer.concat(pieces)
    },
  }
}

async function readManifest(pieces: AsyncIterable<Uint8Array>) {
  const read: Uint8Array[] = []
  for await (const piece of pieces) read.push(piece)
  try {
    return v.parse(manifest, JSON.parse(Buffer.concat(read).toString()))
  } catch {
    throw new ArchiveRefusal('Cette archive est abîmée\u202f: archive.json n’est pas lisible.')
  }
}
