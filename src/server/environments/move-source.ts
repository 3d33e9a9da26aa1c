import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { sql } from 'kysely'

import type { Copied } from '../backup/copy-environment.ts'
import { atOneInstant } from '../backup/dump-environment.ts'
import { notLetGo } from '../backup/environment-hosts.ts'
import { lockDataDirectory } from '../db/data-directory-lock.ts'
import { syncDirectory } from '../db/durable-file-system.ts'
import { startEmbeddedEngine } from '../db/embedded-engine.ts'
import { openEnvironment, type StorageSettings } from '../db/environment.ts'
import type { Trx } from '../db/handles.ts'
import { manageAlone, ringServers, takeFromServers } from '../db/managing.ts'
import { openPool } from '../db/pool.ts'
import { movedDirectory, movedSchema } from '../db/kept-aside.ts'

/** A library that is closed for everybody while it is read, and then set aside: never dropped. */
export type MoveSource = {
  read<T>(work: (trx: Trx, from: Copied) => Promise<T>): Promise<T>
  /** Answers where it is kept. */
  setAside(stamp: string): Promise<string>
}

/** Throws BackupRefusedError, or DataDirectoryBusyError, where a server does not let go of it. */
export async function withSource<T>(
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
