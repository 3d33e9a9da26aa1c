import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join, resolve } from 'node:path'

import { createTransport } from 'nodemailer'

import type { Check } from '../../domain/installation-checks.ts'
import {
  backupCheck,
  type BackupFacts,
  diskCheck,
  type FolderFacts,
  foldersCheck,
  mailCheck,
  memoryCheck,
  nodeCheck,
} from '../../domain/machine-checks.ts'
import { faultOfPassphrase, passphraseOfEnvironment } from '../backup/ask-passphrase.ts'
import { dayOfBackup, lastNightlyBackup, otherOwner } from '../backup/nightly-backup.ts'
import { codeOf } from '../db/error-code.ts'
import type { Configuration } from '../process/configuration.ts'

type Settings = Pick<Configuration, 'dataDir' | 'backupDir' | 'smtpUrl'>

/** What the machine tells of itself, whether the server runs or not; one of several libraries is not told where its folders are. */
export async function checkMachine(
  { dataDir, backupDir: directory, smtpUrl, isShared = false }: Settings & { isShared?: boolean },
  now: Date,
): Promise<Check[]> {
  const today = dayOfBackup(now)
  const folders = [['DATA_DIR', dataDir] as const, ...(directory ? [['BACKUP_DIR', directory] as const] : [])]
  const [memory, disk, found, mail, backup] = await Promise.all([
    readMemory(),
    readDisk(dataDir),
    Promise.all(folders.map(([name, path]) => lookAtFolder(name, path))),
    mailOf(smtpUrl),
    lookAtBackup({ dataDir, backupDir: directory }, now),
  ])
  return [
    nodeCheck({ version: process.version, today }),
    memoryCheck(memory),
    diskCheck(disk),
    foldersCheck(isShared ? found.map((folder) => ({ ...folder, path: null })) : found),
    mailCheck(mail),
    backupCheck(backup),
  ]
}

/** What is known of the nightly backup without opening it. */
export async function lookAtBackup(
  { dataDir, backupDir: directory }: Pick<Settings, 'dataDir' | 'backupDir'>,
  now: Date,
): Promise<BackupFacts> {
  const today = dayOfBackup(now)
  const [last, owner] = await Promise.all([
    directory === null ? null : lastNightlyBackup(directory, today),
    directory === null ? null : otherOwner(directory, dataDir).catch(() => null),
  ])
  return {
    directory,
    isOfAnother: owner !== null,
    passphraseFault: faultOfPassphrase(passphraseOfEnvironment()),
    last,
    today,
    hour: now.getHours(),
  }
}

async function readMemory() {
  const bound = process.constrainedMemory()
  const total = bound > 0 ? Math.min(bound, totalmem()) : totalmem()
  // A unit that is closed to /proc (ProcSubset=pid) would take what files are remembered in for memory that is used.
  const isTold = process.platform !== 'linux' || (await canDo('/proc/meminfo', constants.R_OK)) === null
  return { total, free: isTold ? process.availableMemory() : null }
}

async function readDisk(path: string) {
  const found = await statfs(path).catch(() => null)
  return found && { free: found.bavail * found.bsize, total: found.blocks * found.bsize }
}

async function lookAtFolder(name: string, path: string): Promise<FolderFacts> {
  const trouble = await canDo(path, constants.R_OK | constants.W_OK | constants.X_OK)
  // Bases and images are there; a start closes them.
  const kept = await stat(join(path, 'environments')).catch(() => null)
  const isOpenToOthers = process.platform !== 'win32' && kept !== null && (kept.mode & 0o077) !== 0
  return { name, path: resolve(path), trouble, isOpenToOthers }
}

const canDo = (path: string, mode: number): Promise<string | null> =>
  access(path, mode).then(
    () => null,
    (error: unknown) => codeOf(error) || String(error),
  )

async function mailOf(smtpUrl: string | null) {
  if (smtpUrl === null) return { server: null, trouble: null }
  return { server: new URL(smtpUrl).host, trouble: await greetMailServer(smtpUrl) }
}

const patienceMs = 5_000
/** In all: a server that drips its greeting never runs out of patience. */
const mostMs = 10_000

/** Connects and hears the greeting, without signing in or sending: null where it went well, else what went wrong. */
async function greetMailServer(smtpUrl: string): Promise<string | null> {
  const url = new URL(smtpUrl)
  url.username = ''
  url.password = ''
  const transport = createTransport({
    url: url.href,
    dnsTimeout: patienceMs,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  })
  try {
    await Promise.race([transport.verify(), tooLate()])
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    transport.close()
  }
}

const tooLate = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('ETIMEDOUT')), mostMs).unref()
  })
