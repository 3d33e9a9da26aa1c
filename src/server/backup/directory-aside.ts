import { existsSync, renameSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { syncDirectory, syncTree } from '../db/durable-file-system.ts'
import { finishDirectorySwap, restoredDirectory } from '../db/restored-directory.ts'

/** What a restore builds beside `environments` and puts in its place when it is whole. */
export type DirectoryAside = {
  of(id: number): Promise<string>
  /** Answers where the former directory is kept, or null when there was none. */
  swap(stamp: string): string | null
  discard(): void
}

export async function openDirectoryAside(dataDir: string): Promise<DirectoryAside> {
  const unfinished = join(dataDir, 'environments-unfinished')
  const restored = join(dataDir, restoredDirectory)
  const current = join(dataDir, 'environments')
  const discard = () => {
    rmSync(unfinished, { recursive: true, force: true })
    rmSync(restored, { recursive: true, force: true })
  }
  discard()
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  return {
    async of(id) {
      const directory = join(unfinished, String(id))
      await mkdir(directory, { recursive: true })
      return directory
    },
    swap(stamp) {
      syncTree(unfinished)
      renameSync(unfinished, restored)
      syncDirectory(dataDir)
      const former = existsSync(current) ? join(dataDir, `environments-before-${stamp}`) : null
      if (former !== null) renameSync(current, former)
      // The next start finishes this if it is cut short.
      finishDirectorySwap(dataDir)
      return former
    },
    discard,
  }
}
