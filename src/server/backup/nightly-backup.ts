import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import type { Logger } from 'pino'

import { type CalendarDay, calendarDayOf } from '../../domain/calendar-day.ts'
import type { StorageSettings } from '../db/environments/environment.ts'
import { codeOf } from '../db/error-code.ts'
import { openMachines } from '../db/connections/machines.ts'
import { faultOfPassphrase, fitPassphrase, passphraseOfEnvironment } from './ask-passphrase.ts'
import { BackupRefusedError } from './backup-refused.ts'
import { makeBackup } from './make-backup.ts'

type NightlyBackup = { directory: string; keepDays: number; storage: StorageSettings }

/** By the machine's clock. A server that was off makes it as it comes back. */
const fromHour = 2
const nightly = /^comptoir-(\d{4}-\d\d-\d\d)\.sauvegarde$/
const isNightly = (name: string) => nightly.test(name)

/** By the machine's clock, as the name of its backup. */
export function dayOfBackup(now: Date): CalendarDay {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return calendarDayOf(now, timeZone)
}

/** The day of the last one until `today`; null where there is none, or the folder cannot be read. */
export async function lastNightlyBackup(directory: string, today: CalendarDay): Promise<CalendarDay | null> {
  const names = await readdir(directory).catch(() => [])
  const days = names.flatMap((name) => nightly.exec(name)?.[1] ?? [])
  // A clock that jumped ahead left one that says nothing of last night.
  return (
    days
      .filter((day) => day <= today)
      .toSorted()
      .at(-1) ?? null
  )
}

/** Makes the day's backup of the whole installation, unless it is there; answers whether it did. Throws what `makeBackup` throws. */
export async function backUpTonight(
  { directory, keepDays, storage }: NightlyBackup,
  now: Date,
): Promise<boolean> {
  if (now.getHours() < fromHour) return false
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await claim(directory, storage)
  const path = join(directory, `comptoir-${dayOfBackup(now)}.sauvegarde`)
  if (existsSync(path)) return false
  const databaseUrl = storage.databaseUrl && (await openMachines(storage.databaseUrl).writable())
  await sweepUnfinished(directory, now)
  await makeBackup(path, { ...storage, databaseUrl }, fitPassphrase(passphraseOfEnvironment()))
  // Counted rather than dated: a clock that jumped ahead would take them all.
  const made = (await readdir(directory)).filter(isNightly).toSorted()
  // A clock that went back would have it remove the one just made.
  for (const name of made.slice(0, -keepDays))
    if (join(directory, name) !== path) await rm(join(directory, name))
  return true
}

/** Two installations with one folder would each take the other's backup of the day for their own. */
async function claim(directory: string, { dataDir }: StorageSettings): Promise<void> {
  const id = (await nameIn(dataDir))?.id ?? randomUUID()
  await nameOnce(dataDir, id, resolve(dataDir))
  await nameOnce(directory, id, resolve(dataDir))
  const owner = await otherOwner(directory, dataDir)
  if (owner !== null)
    throw new BackupRefusedError(
      `${directory} reçoit les sauvegardes de ${owner}\u202f: donnez à celle-ci un dossier à elle, ou effacez ${fileIn(directory)} si elle a changé de place.`,
    )
}

/** The data of the other installation whose backups this folder has; null where they are this one's, or nobody's yet. */
export async function otherOwner(directory: string, dataDir: string): Promise<string | null> {
  const owner = await nameIn(directory)
  return owner === null || owner.id === (await nameIn(dataDir))?.id ? null : owner.dataDir
}

const fileIn = (directory: string) => join(directory, 'installation.txt')

/** Paths alone tell no two containers apart. Null also for a file whose writing was cut. */
async function nameIn(directory: string): Promise<{ id: string; dataDir: string } | null> {
  const text = await readFile(fileIn(directory), 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    return ''
  })
  const [id, dataDir] = text.split('\n')
  return id && dataDir ? { id, dataDir } : null
}

async function nameOnce(directory: string, id: string, dataDir: string): Promise<void> {
  if ((await nameIn(directory)) !== null) return
  const unfinished = join(directory, `comptoir-${id}.part`)
  await writeFile(unfinished, `${id}\n${dataDir}\n`, { mode: 0o600 })
  await rename(unfinished, fileIn(directory))
}

/** What a server wrote that was killed; one that is a day old is nobody's any more. */
async function sweepUnfinished(directory: string, now: Date): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!/^comptoir-.*\.part$/.test(name)) continue
    const { mtimeMs } = await stat(join(directory, name))
    if (now.getTime() - mtimeMs > dayMs) await rm(join(directory, name), { force: true })
  }
}

const dayMs = 86_400_000

const minuteMs = 60_000

export function startNightlyBackup(nightly: NightlyBackup, logger: Logger): { stop(): void } {
  let isStopped = false
  const look = async () => {
    try {
      if (await backUpTonight(nightly, new Date())) logger.info('nightly backup made')
    } catch (error) {
      logger.error({ err: error }, 'nightly backup failed')
    }
    if (!isStopped) next = setTimeout(() => void look(), 30 * minuteMs)
  }
  const fault = faultOfPassphrase(passphraseOfEnvironment())
  if (fault !== null) logger.error(`nightly backups cannot be made: BACKUP_PASSPHRASE: ${fault}`)
  // Not in the rush of an opening.
  let next = setTimeout(() => void look(), minuteMs)
  return {
    stop() {
      isStopped = true
      clearTimeout(next)
    },
  }
}
