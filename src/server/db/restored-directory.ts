import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import { syncDirectory } from './durable-file-system.ts'

/** Environments that a restore has made whole on the disk, about to take their place. */
export const restoredDirectory = 'environments-restored'

/**
 * Ends a restore that was cut between putting the former environments aside and putting the restored ones in their place: a start
 * that saw neither would make an empty library.
 */
export function finishDirectorySwap(dataDir: string): void {
  const restored = join(dataDir, restoredDirectory)
  const current = join(dataDir, 'environments')
  if (existsSync(current) || !existsSync(restored)) return
  renameSync(restored, current)
  syncDirectory(dataDir)
}
