import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Logger } from 'pino'

import { calendarDayOf } from '../../domain/calendar-day.ts'
import type { StorageSettings } from '../db/environment.ts'
import { openMachines } from '../db/machines.ts'
import { passphraseOfEnvironment } from './ask-passphrase.ts'
import { makeBackup } from './make-backup.ts'

export type NightlyBackup = { directory: string; keepDays: number; storage: StorageSettings }

/** By the machine's clock. A server that was off makes it as it comes back. */
const fromHour = 2
const isNightly = (name: string) => /^comptoir-\d{4}-\d\d-\d\d\.sauvegarde$/.test(name)

/** Makes the day's backup of the whole installation, unless it is there; answers whether it did. Throws what `makeBackup` throws. */
export async function backUpTonight(
  { directory, keepDays, storage }: NightlyBackup,
  now: Date,
): Promise<boolean> {
  if (now.getHours() < fromHour) return false
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const path = join(directory, `comptoir-${calendarDayOf(now, timeZone)}.sauvegarde`)
  if (existsSync(path)) return false
  const databaseUrl = storage.databaseUrl && (await openMachines(storage.databaseUrl).writable())
  // In a container the process that was killed while it wrote had the same number.
  await rm(`${path}.${process.pid}.part`, { force: true })
  await makeBackup(path, { ...storage, databaseUrl }, passphraseOfEnvironment())
  // Counted rather than dated: a clock that jumped ahead would take them all.
  const made = (await readdir(directory)).filter(isNightly).toSorted()
  for (const name of made.slice(0, -keepDays)) await rm(join(directory, name))
  return true
}

const minuteMs = 60_000

export function startNightlyBackup(nightly: NightlyBackup, logger: Logger): { stop(): void } {
  const look = async () => {
    try {
      if (await backUpTonight(nightly, new Date())) logger.info('nightly backup made')
    } catch (error) {
      logger.error({ err: error }, 'nightly backup failed')
    }
    next = setTimeout(() => void look(), 30 * minuteMs)
  }
  // Not in the rush of an opening.
  let next = setTimeout(() => void look(), minuteMs)
  return { stop: () => clearTimeout(next) }
}
