import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { syncDirectory, syncTree } from '../db/engine/durable-file-system.ts'
import {
  finishDirectorySwap,
  placeRestoredFiles,
  restoredDirectory,
  restoredDirectoryOf,
  restoredFiles,
  schemaOid,
} from '../db/environments/restored-files.ts'
import type { Db } from '../db/handles.ts'

/** What a restore builds beside `environments` and puts in its place when it is whole. */
type DirectoryAside = {
  of(id: number): Promise<string>
  /** Answers where the former directory is kept, or null when there was none. */
  swap(stamp: string): string | null
  discard(): void
}

/** Beside the directories of all environments, or of that `one` alone. */
export async function openDirectoryAside(
  dataDir: string,
  one: number | null = null,
): Promise<DirectoryAside> {
  const unfinished = join(dataDir, one === null ? 'environments-unfinished' : `environment-${one}-unfinished`)
  const restored = join(dataDir, one === null ? restoredDirectory : restoredDirectoryOf(one))
  const current = join(dataDir, 'environments', ...(one === null ? [] : [String(one)]))
  const discard = () => {
    rmSync(unfinished, { recursive: true, force: true })
    rmSync(restored, { recursive: true, force: true })
  }
  discard()
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  return {
    async of(id) {
      const directory = one === null ? join(unfinished, String(id)) : unfinished
      await mkdir(directory, { recursive: true })
      return directory
    },
    swap(stamp) {
      syncTree(unfinished)
      mkdirSync(dirname(current), { recursive: true, mode: 0o700 })
      renameSync(unfinished, restored)
      syncDirectory(dataDir)
      const kept = join(dataDir, `environments-before-${stamp}`, ...(one === null ? [] : [String(one)]))
      const former = existsSync(current) ? kept : null
      if (former !== null) {
        mkdirSync(dirname(former), { recursive: true, mode: 0o700 })
        renameSync(current, former)
      }
      // The next start finishes this if it is cut short.
      finishDirectorySwap(dataDir)
      return former
    },
    discard,
  }
}

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
