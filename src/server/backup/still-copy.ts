import { constants, cp, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'

import pg from 'pg'

import { byteSize } from '../../domain/byte-size.ts'
import { type EmbeddedEngine, readEngineAddress, startEmbeddedEngine } from '../db/engine/embedded-engine.ts'
import { codeOf } from '../db/error-code.ts'
import { BackupRefusedError } from './backup-refused.ts'

type StillEngine = { engine: EmbeddedEngine; close(): Promise<void> }

/** More often than the engine cuts a silent transaction. */
const signOfLife = 5000
const copyPrefix = 'copy-'
const spareRoom = 64 * 1024 * 1024
/** Older copies were left by a power cut, and a backup removes them. */
const longestBackup = 24 * 3600_000

/** Holds the engine while its files are copied: reading in it would stop all counters (decision 0007). */
export async function openStillEngine(directory: string): Promise<StillEngine> {
  const database = join(directory, 'database')
  const client = await connectToRunning(database)
  // Nobody serves this directory, and its lock keeps servers out for the time of the backup.
  if (client === null) {
    const engine = await startEmbeddedEngine(database)
    return { engine, close: () => engine.stop() }
  }
  await removeForgottenCopies(database)
  const home = await mkdtemp(join(database, copyPrefix))
  const drop = () => rm(home, { recursive: true, force: true })
  try {
    await copyHeldStill(client, join(database, 'postgres'), join(home, 'postgres'))
    const engine = await startEmbeddedEngine(home)
    return { engine, close: () => engine.stop().finally(drop) }
  } catch (error) {
    await drop()
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function connectToRunning(database: string): Promise<pg.Client | null> {
  const address = readEngineAddress(database)
  if (address === null) return null
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 60_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null
    throw error
  }
}

async function copyHeldStill(client: pg.Client, from: string, to: string): Promise<void> {
  await refuseWithoutRoom(from)
  const over = new AbortController()
  // A checkpoint leaves the copy little to replay, and calls go on meanwhile.
  await client.query('checkpoint')
  await client.query('begin')
  const signs = keepAlive(client, over.signal)
  try {
    await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })
  } finally {
    over.abort()
    await signs
  }
  // An engine that died meanwhile has written during the copy, and this connection has noticed.
  await client.query('rollback').catch((cause: unknown) => {
    throw new BackupRefusedError('La base s’est arrêtée pendant sa copie\u202f: recommencez la sauvegarde.', {
      cause,
    })
  })
}

async function keepAlive(client: pg.Client, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of setInterval(signOfLife, undefined, { signal })) await client.query('select 1')
  } catch {
    // The rollback that follows tells why.
  }
}

async function refuseWithoutRoom(directory: string): Promise<void> {
  const [{ bavail, bsize }, needed] = await Promise.all([statfs(directory), sizeOf(directory)])
  if (bavail * bsize > needed + spareRoom) return
  throw new BackupRefusedError(
    `Il n’y a pas assez de place sur le disque pour sauvegarder pendant que Comptoir fonctionne\u202f: il faut ` +
      `${byteSize(needed + spareRoom)}, le temps de la sauvegarde. Libérez de la place, ou arrêtez Comptoir d’abord.`,
  )
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function removeForgottenCopies(database: string): Promise<void> {
  for (const name of await readdir(database)) {
    if (!name.startsWith(copyPrefix)) continue
    const path = join(database, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < Date.now() - longestBackup) await rm(path, { recursive: true, force: true })
  }
}
