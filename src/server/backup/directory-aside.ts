import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { syncDirectory, syncTree } from '../db/engine/durable-file-system.ts'
import {
  finishDirectorySwap,
  restoredDirectory,
  restoredDirectoryOf,
} from '../db/environments/restored-files.ts'

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
