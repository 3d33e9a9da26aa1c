import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const disk = '/dev/shm'
const enough = 2 ** 31
const prefix = 'comptoir-tests-'

/**
 * Puts what this process and its children keep in temporary directories into memory, where the machine has a disk there with two
 * gigabytes free, and drops it at the end: no test of ours loses its power.
 */
export function keepTemporaryFilesInMemory(): void {
  if (!existsSync(disk) || !hasRoom()) return
  // The next run's folder would be made within this one's.
  if (tmpdir().startsWith(disk)) return
  forgetDeadRuns()
  const place = mkdtempSync(join(disk, `${prefix}${process.pid}-`))
  // The servers of PostgreSQL that tests start run under their own user.
  chmodSync(place, 0o711)
  process.env['TMPDIR'] = place
  process.once('exit', () => rmSync(place, { recursive: true, force: true }))
}

/** A run that was killed could not drop its folder. */
function forgetDeadRuns(): void {
  for (const name of readdirSync(disk)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1])
    if (pid > 0 && !isAlive(pid)) rmSync(join(disk, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function hasRoom(): boolean {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize > enough
}
