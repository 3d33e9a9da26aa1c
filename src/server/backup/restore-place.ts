import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { sql } from 'kysely'

import { onSchema, openPool } from '../db/connections/pool.ts'
import { leaveSchemas, lockSchemasAlone } from '../db/connections/schema-lock.ts'
import { type DataDirectoryLock, lockDataDirectory } from '../db/engine/data-directory-lock.ts'
import { startEmbeddedEngine } from '../db/engine/embedded-engine.ts'
import { embeddedEnvironmentIds, idsAt } from '../db/environments/environment-ids.ts'
import type { StorageSettings } from '../db/environments/environment.ts'
import { BackupRefusedError } from './backup-refused.ts'
import { type FilesAside, openDirectoryAside, openFilesAside } from './directory-aside.ts'
import type { FreshEnvironment } from './load-environment.ts'

export type RestorePlace = {
  open(id: number): Promise<FreshEnvironment>
  /** Puts it in place; answers where the former data is kept, or null when there was none. */
  swap(stamp: string): Promise<string | null>
  /** Drops what was not swapped and lets servers in. */
  close(): Promise<void>
}

/** Throws BackupRefusedError where a server runs, or where there are environments and no `replace`. */
export function openRestorePlace(storage: StorageSettings, replace: boolean): Promise<RestorePlace> {
  const dataDir = resolve(storage.dataDir)
  return storage.databaseUrl === null
    ? openEmbeddedPlace(dataDir, replace)
    : openPostgresPlace(storage.databaseUrl, dataDir, replace)
}

/** A directory beside a PostgreSQL database has environments with files alone. */
export const inhabitedIds = async ({ dataDir, databaseUrl }: StorageSettings): Promise<number[]> =>
  databaseUrl
    ? idsAt(databaseUrl)
    : (await embeddedEnvironmentIds(dataDir)).filter((id) =>
        existsSync(join(dataDir, 'environments', String(id), 'database')),
      )

async function openEmbeddedPlace(dataDir: string, replace: boolean): Promise<RestorePlace> {
  const locks = new Map<string, DataDirectoryLock>()
  const unlock = () => Promise.all([...locks.values()].map((lock) => lock.release()))
  const lockAll = async () => {
    for (const id of await embeddedEnvironmentIds(dataDir)) {
      const database = join(dataDir, 'environments', String(id), 'database')
      if (existsSync(database) && !locks.has(database)) locks.set(database, await lockDataDirectory(database))
    }
  }
  try {
    await lockAll()
    if (locks.size > 0 && !replace) throw notEmpty(dataDir)
    const aside = await openDirectoryAside(dataDir)
    return {
      async open(id) {
        const files = await aside.of(id)
        const engine = await startEmbeddedEngine(join(files, 'database'))
        const { pool, db } = openPool({ ...engine.connection, max: 1 })
        return { db, schema: 'public', files, close: () => pool.end().then(() => engine.stop()) }
      },
      async swap(stamp) {
        // A server may have started meanwhile where there was nothing.
        await lockAll()
        return aside.swap(stamp)
      },
      async close() {
        aside.discard()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

async function openPostgresPlace(
  databaseUrl: string,
  dataDir: string,
  replace: boolean,
): Promise<RestorePlace> {
  const before = await idsAt(databaseUrl)
  if (before.length > 0 && !replace) throw notEmpty(new URL(databaseUrl).pathname.slice(1))
  // One connection does it all, because it holds the locks.
  const { pool, db } = openPool({
    connectionString: databaseUrl,
    max: 1,
    idleTimeoutMillis: 0,
    keepAlive: true,
  })
  const built: number[] = []
  const drop = async (id: number) => {
    await sql`drop schema if exists ${sql.id(builtSchema(id))} cascade`.execute(db)
  }
  try {
    await refuseWhileServed(db, before)
    const asides = new Map<number, FilesAside>()
    return {
      async open(id) {
        await refuseWhileServed(db, [id])
        await drop(id)
        built.push(id)
        const aside = await openFilesAside(db, dataDir, id)
        asides.set(id, aside)
        const schema = builtSchema(id)
        const fresh = openPool({ connectionString: databaseUrl, ...onSchema(schema), max: 1 })
        return { db: fresh.db, schema, files: aside.directory, close: () => fresh.pool.end() }
      },
      async swap(stamp) {
        const there = await idsAt(databaseUrl)
        const kept = (id: number) => `before_${stamp.replaceAll('-', '_')}_env_${id}`
        for (const [id, aside] of asides) await aside.tellWhole(db, builtSchema(id), stamp)
        await db.transaction().execute(async (trx) => {
          // A broken connection loses its locks, and environments may be new, so all are locked again.
          await refuseWhileServed(trx, [...there, ...built])
          for (const id of there)
            await sql`alter schema ${sql.id(`env_${id}`)} rename to ${sql.id(kept(id))}`.execute(trx)
          for (const id of built)
            await sql`alter schema ${sql.id(builtSchema(id))} rename to ${sql.id(`env_${id}`)}`.execute(trx)
        })
        built.length = 0
        for (const aside of asides.values()) await aside.putInPlace(db)
        return there.length > 0 ? there.map(kept).join(', ') : null
      },
      async close() {
        for (const id of built) await drop(id)
        for (const aside of asides.values()) aside.discard()
        await leaveSchemas(db).catch(() => undefined)
        await pool.end()
      },
    }
  } catch (error) {
    await pool.end()
    throw error
  }
}

const builtSchema = (id: number) => `restored_env_${id}`

async function refuseWhileServed(db: FreshEnvironment['db'], ids: readonly number[]): Promise<void> {
  if (await lockSchemasAlone(db, ids)) return
  throw new BackupRefusedError(
    'Un serveur Comptoir est relié à cette base\u202f: arrêtez-le, puis recommencez.',
  )
}

const notEmpty = (place: string) =>
  new BackupRefusedError(
    `Il y a déjà une base dans «\u202f${place}\u202f»\u202f: ajoutez --replace pour la remplacer. ` +
      'Elle sera gardée à côté.',
  )
