import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import { syncDirectory } from './durable-file-system.ts'

/** Where a restore has made the environments whole, before they take their place. */
export const restoredDirectory = 'environments-restored'

/** Ends a restore cut between its two renamings, because a start would then make an empty library. */
export function finishDirectorySwap(dataDir: string): void {
  const restored = join(dataDir, restoredDirectory)
  const current = join(dataDir, 'environments')
  if (existsSync(current) || !existsSync(restored)) return
  renameSync(restored, current)
  syncDirectory(dataDir)
}
