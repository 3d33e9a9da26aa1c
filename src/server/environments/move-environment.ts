import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { sql } from 'kysely'

import { BackupRefusedError } from '../backup/backup-refused.ts'
import { type Copied, copyEnvironment, type Counted } from '../backup/copy-environment.ts'
import { atOneInstant } from '../backup/dump-environment.ts'
import { nobodyThere, notLetGo } from '../backup/environment-hosts.ts'
import { inhabitedIds } from '../backup/restore-place.ts'
import { lockDataDirectory } from '../db/engine/data-directory-lock.ts'
import { syncDirectory } from '../db/engine/durable-file-system.ts'
import { startEmbeddedEngine } from '../db/engine/embedded-engine.ts'
import { openEnvironment, type StorageSettings } from '../db/environments/environment.ts'
import type { Trx } from '../db/handles.ts'
import { asideStamp, movedDirectory, movedSchema } from '../db/environments/kept-aside.ts'
import { openMachines } from '../db/connections/machines.ts'
import { manageAlone, ringServers, takeFromServers } from '../db/environments/managing.ts'
import { openPool } from '../db/connections/pool.ts'
import { withTarget } from './move-target.ts'

/** Asks both, because one database has several addresses, and its lock would be waited for twice. */
async function isSamePlace(one: StorageSettings, other: StorageSettings): Promise<boolean> {
  if (one.databaseUrl === null || other.databaseUrl === null)
    return one.databaseUrl === other.databaseUrl && one.dataDir === other.dataDir
  return (await nameOf(one.databaseUrl)) === (await nameOf(other.databaseUrl))
}

async function nameOf(connectionString: string): Promise<string | undefined> {
  const { pool, db } = openPool({ connectionString, max: 1 })
  const { rows } = await sql<{ name: string }>`
    select system_identifier || '/' || d.oid as name from pg_control_system(), pg_database d
    where d.datname = current_database()`
    .execute(db)
    .finally(() => pool.end())
  return rows[0]?.name
}

/** A library that is closed for everybody while it is read, and then set aside: never dropped. */
type MoveSource = {
  read<T>(work: (trx: Trx, from: Copied) => Promise<T>): Promise<T>
  /** Answers where it is kept. */
  setAside(stamp: string): Promise<string>
}

/** Throws BackupRefusedError, or DataDirectoryBusyError, where a server does not let go of it. */
async function withSource<T>(
  storage: StorageSettings,
  id: number,
  move: (source: MoveSource) => Promise<T>,
): Promise<T> {
  // It moves as a library of this version.
  await (await openEnvironment(storage, id)).close()
  const { dataDir, databaseUrl } = storage
  const files = join(dataDir, 'environments', String(id))
  const moveDirectory = (stamp: string): string => {
    const kept = join(dataDir, movedDirectory(stamp), String(id))
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 })
    if (existsSync(files)) renameSync(files, kept)
    syncDirectory(dirname(kept))
    syncDirectory(dirname(files))
    return kept
  }

  if (databaseUrl === null) {
    const database = join(files, 'database')
    const read: MoveSource['read'] = async (work) => {
      const engine = await startEmbeddedEngine(database)
      const { pool, db } = openPool({ ...engine.connection, max: 1 })
      return atOneInstant(db, (trx) => work(trx, { id, schema: 'public', files })).finally(() =>
        pool.end().then(() => engine.stop()),
      )
    }
    return move({
      read,
      async setAside(stamp) {
        // No server may have opened it since it was read.
        const lock = await lockDataDirectory(database)
        try {
          return moveDirectory(stamp)
        } finally {
          await lock.release()
        }
      },
    })
  }

  const { pool, db } = openPool({ connectionString: databaseUrl, max: 3, keepAlive: true })
  try {
    return await manageAlone(db, () =>
      db.connection().execute(async (lane) => {
        if (!(await takeFromServers(lane, id))) throw notLetGo(id)
        const schema = `env_${id}`
        return move({
          read: (work) => atOneInstant(db, (trx) => work(trx, { id, schema, files })),
          async setAside(stamp) {
            const kept = movedSchema(stamp, id)
            await sql`alter schema ${sql.id(schema)} rename to ${sql.id(kept)}`.execute(lane)
            moveDirectory(stamp)
            await ringServers(lane)
            return kept
          },
        })
      }),
    )
  } finally {
    await pool.end()
  }
}

type Move = {
  from: StorageSettings
  to: StorageSettings
  id: number
  embeddedLimit: number
  now?: Date
  /** Called once it is whole there, and once it is set aside here: where tests cut it short. */
  onPhase?: (phase: 'whole' | 'aside') => void
}

type Moved = {
  /** Its number there. */
  id: number
  /** Where the former one is kept, and what was copied; null where a move that was cut short was only ended. */
  kept: string | null
  counted: Counted | null
}

/**
 * Moves a library to another database or directory: closed for everybody while it is copied, then set aside here before
 * it is put in place there, so that it is never served twice. Begun again after a cut, it ends what was begun. Throws
 * BackupRefusedError or DataDirectoryBusyError.
 */
export async function moveEnvironment({
  from: given,
  to: wanted,
  id,
  embeddedLimit,
  now = new Date(),
  onPhase,
}: Move): Promise<Moved> {
  const [from, to] = [await reached(given), await reached(wanted)]
  if (await isSamePlace(from, to)) throw new BackupRefusedError('Cette bibliothèque y est déjà.')
  const key = createHash('sha256')
    .update(from.databaseUrl ?? from.dataDir)
    .digest('hex')
    .slice(0, 8)
  const stamp = asideStamp(now)
  return withTarget(to, { id, key, embeddedLimit }, async (target) => {
    if (!(await inhabitedIds(from)).includes(id)) {
      if (!(await target.isWhole())) throw nobodyThere(id)
      return { id: await target.putInPlace(), kept: null, counted: null }
    }
    await target.discard()
    const { kept, counted } = await withSource(from, id, async (source) => {
      try {
        const counted = await source.read(async (trx, copied) => {
          const { rows } = await sql<{ hosts: string[] }>`
            select hosts from ${sql.id(copied.schema, 'environment')}`.execute(trx)
          await target.requireHosts(rows[0]?.hosts ?? [])
          const fresh = await target.build()
          return copyEnvironment(trx, copied, fresh).finally(fresh.close)
        })
        await target.tellWhole()
        onPhase?.('whole')
        return { kept: await source.setAside(stamp), counted }
      } catch (error) {
        // It is still here, so what is there is of no use.
        if ((await inhabitedIds(from)).includes(id)) await target.discard()
        throw error
      }
    })
    onPhase?.('aside')
    return { id: await target.putInPlace(), kept, counted }
  })
}

/** Of several machines, the one that takes writes. */
const reached = async ({ dataDir, databaseUrl, ...rest }: StorageSettings): Promise<StorageSettings> => ({
  ...rest,
  dataDir: resolve(dataDir),
  databaseUrl: databaseUrl && (await openMachines(databaseUrl).writable()),
})
