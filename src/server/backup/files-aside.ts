import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Db } from '../db/handles.ts'
import { syncDirectory, syncTree } from '../db/engine/durable-file-system.ts'
import { placeRestoredFiles, restoredFiles, schemaOid } from '../db/environments/restored-files.ts'

/** What a restore builds of one library's files, whose rows are a schema of a database. */
export type FilesAside = {
  directory: string
  /** Says that they are whole, and which schema they follow: from then on whoever opens that library finishes what is cut. */
  tellWhole(db: Db, schema: string, stamp: string): Promise<void>
  /** Once that schema is the library's. */
  putInPlace(db: Db): Promise<void>
  discard(): void
}

export async function openFilesAside(db: Db, dataDir: string, id: number): Promise<FilesAside> {
  const directory = join(dataDir, `environment-${id}-unfinished`)
  const discard = () => rmSync(directory, { recursive: true, force: true })
  // A machine that is new has a database and no directory yet.
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const putInPlace = async (lane: Db) => placeRestoredFiles(dataDir, id, await schemaOid(lane, `env_${id}`))
  await putInPlace(db)
  discard()
  await mkdir(directory, { mode: 0o700 })
  return {
    directory,
    async tellWhole(lane, schema, stamp) {
      syncTree(directory)
      mkdirSync(join(dataDir, 'environments'), { recursive: true, mode: 0o700 })
      renameSync(directory, join(dataDir, restoredFiles(id, await schemaOid(lane, schema), stamp)))
      syncDirectory(dataDir)
    },
    putInPlace,
    discard,
  }
}
