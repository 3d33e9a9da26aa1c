import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const disk = '/dev/shm'
const enough = 2 ** 31

/**
 * Puts what this process and its children keep in temporary directories into memory, where the machine has a disk there with two
 * gigabytes free, and drops it at the end: no test of ours loses its power.
 */
export function keepTemporaryFilesInMemory(): void {
  if (!existsSync(disk) || !hasRoom()) return
  // The next run's folder would be made within this one's.
  if (tmpdir().startsWith(disk)) return
  const place = mkdtempSync(join(disk, 'comptoir-tests-'))
  // The servers of PostgreSQL that tests start run under their own user.
  chmodSync(place, 0o711)
  process.env['TMPDIR'] = place
  process.once('exit', () => rmSync(place, { recursive: true, force: true }))
}

function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize > enough
}
