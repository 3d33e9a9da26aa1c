import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import { syncDirectory } from './durable-file-system.ts'

/** Where a restore has made the environments whole, before they take their place. */
export const restoredDirectory = 'environments-restored'

/** The same for a restore of one. */
export const restoredDirectoryOf = (id: number) => `environment-${id}-restored`

/** Ends a restore cut between its two renamings, because a start would then make an empty library. */
export function finishDirectorySwap(dataDir: string): void {
  const current = join(dataDir, 'environments')
  putInPlace(join(dataDir, restoredDirectory), current)
  for (const name of readdirSync(dataDir)) {
    const id = /^environment-(\d{1,9})-restored$/.exec(name)?.[1]
    if (id !== undefined) putInPlace(join(dataDir, name), join(current, id))
  }
}

function putInPlace(restored: string, current: string): void {
  if (existsSync(current) || !existsSync(restored)) return
  renameSync(restored, current)
  syncDirectory(join(current, '..'))
  syncDirectory(join(restored, '..'))
}
