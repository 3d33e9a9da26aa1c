import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { sql } from 'kysely'

import { onSchema, openPool } from '../db/connections/pool.ts'
import { leaveSchemas } from '../db/connections/schema-lock.ts'
import { type DataDirectoryLock, lockDataDirectory } from '../db/engine/data-directory-lock.ts'
import { startEmbeddedEngine } from '../db/engine/embedded-engine.ts'
import { embeddedEnvironmentIds, postgresEnvironmentIds } from '../db/environments/environment-ids.ts'
import { openEnvironment, type StorageSettings } from '../db/environments/environment.ts'
import { type KnownEnvironment, listSchemas } from '../db/environments/list-environments.ts'
import { manageAlone, nextEnvironmentId, takeFromServers } from '../db/environments/managing.ts'
import type { Db } from '../db/handles.ts'
import { BackupRefusedError } from './backup-refused.ts'
import { openDirectoryAside, openFilesAside } from './directory-aside.ts'
import { notLetGo, requireOwnHosts, tooManyEmbedded } from './environment-hosts.ts'
import type { RestorePlace } from './restore-place.ts'

/** Which library of a file is restored, and as whom. */
export type OneRestored = {
  id: number
  /** Of the new library that it becomes; it takes the place of the one of its number where this is null. */
  hosts: readonly string[] | null
  embeddedLimit: number
}

type PlaceOfOne = RestorePlace & {
  /** The number of the library that it is here. */
  id: number
}

/**
 * A place for one library beside the others, which are served meanwhile. Throws BackupRefusedError where it is there and
 * not to be replaced, and DataDirectoryBusyError where a server has it on the embedded engine.
 */
export function withPlaceOfOne<T>(
  storage: StorageSettings,
  { one, replace }: { one: OneRestored; replace: boolean },
  restore: (place: PlaceOfOne) => Promise<T>,
): Promise<T> {
  const asked = { dataDir: resolve(storage.dataDir), one, replace }
  return storage.databaseUrl === null
    ? inDirectory(asked, restore)
    : inDatabase(storage.databaseUrl, asked, restore)
}

type Asked = { dataDir: string; one: OneRestored; replace: boolean }

async function inDirectory<T>(
  { dataDir, one, replace }: Asked,
  restore: (place: PlaceOfOne) => Promise<T>,
): Promise<T> {
  const settings = { dataDir, databaseUrl: null }
  const ids = await embeddedEnvironmentIds(dataDir)
  const isNew = one.hosts !== null || !ids.includes(one.id)
  if (isNew && ids.length >= one.embeddedLimit) throw tooManyEmbedded(one.embeddedLimit)
  const id = one.hosts === null ? one.id : (ids.at(-1) ?? 0) + 1
  if (!isNew && !replace) throw isThere(id)
  const known: KnownEnvironment[] = []
  for (const other of ids) {
    const { name, hosts, close } = await openEnvironment(settings, other)
    await close()
    known.push({ id: other, name, hosts })
  }
  if (one.hosts !== null) requireOwnHosts(one.hosts, known)
  const database = join(dataDir, 'environments', String(id), 'database')
  const lock: DataDirectoryLock | null = existsSync(database) ? await lockDataDirectory(database) : null
  const aside = await openDirectoryAside(dataDir, id)
  const open = async () => {
    const files = await aside.of(id)
    const engine = await startEmbeddedEngine(join(files, 'database'))
    const { pool, db } = openPool({ ...engine.connection, max: 1 })
    return { db, schema: 'public', files, close: () => pool.end().then(() => engine.stop()) }
  }
  try {
    return await restore({
      id,
      open,
      async swap(stamp) {
        const { db, schema, close } = await open()
        await nameAnew(db, schema, { id, one, known }).finally(close)
        return aside.swap(stamp)
      },
      close: async () => aside.discard(),
    })
  } finally {
    await lock?.release()
  }
}

async function inDatabase<T>(
  databaseUrl: string,
  { dataDir, one, replace }: Asked,
  restore: (place: PlaceOfOne) => Promise<T>,
): Promise<T> {
  const { pool, db } = openPool({ connectionString: databaseUrl, max: 2, keepAlive: true })
  try {
    return await manageAlone(db, async () => {
      const ids = await postgresEnvironmentIds(db)
      const id = one.hosts === null ? one.id : await nextEnvironmentId(db)
      const isNew = !ids.includes(id)
      if (!isNew && !replace) throw isThere(id)
      // Judged again once all is built, which takes its time.
      if (one.hosts !== null) requireOwnHosts(one.hosts, await listSchemas(db, ids))
      const [built, current] = [`restored_env_${id}`, `env_${id}`]
      const drop = () => sql`drop schema if exists ${sql.id(built)} cascade`.execute(db)
      await drop()
      const aside = await openFilesAside(db, dataDir, id)
      const swap = (stamp: string) =>
        db.connection().execute(async (lane) => {
          if (!(await takeFromServers(lane, id))) throw notLetGo(id)
          try {
            const known = await listSchemas(lane, await postgresEnvironmentIds(lane))
            await nameAnew(lane, built, { id, one, known })
            const kept = isNew ? null : `before_${stamp.replaceAll('-', '_')}_env_${id}`
            await aside.tellWhole(lane, built, stamp)
            await lane.transaction().execute(async (trx) => {
              if (kept !== null)
                await sql`alter schema ${sql.id(current)} rename to ${sql.id(kept)}`.execute(trx)
              await sql`alter schema ${sql.id(built)} rename to ${sql.id(current)}`.execute(trx)
            })
            await aside.putInPlace(lane)
            return kept
          } finally {
            await leaveSchemas(lane)
          }
        })
      return restore({
        id,
        async open() {
          const fresh = openPool({ connectionString: databaseUrl, ...onSchema(built), max: 1 })
          return { db: fresh.db, schema: built, files: aside.directory, close: () => fresh.pool.end() }
        },
        swap,
        async close() {
          await drop()
          aside.discard()
        },
      })
    })
  } finally {
    await pool.end()
  }
}

type Naming = { id: number; one: OneRestored; known: readonly KnownEnvironment[] }

/** An address is the installation's matter: a library that is replaced keeps today's, a new one has those asked for. */
async function nameAnew(db: Db, schema: string, { id, one, known }: Naming): Promise<void> {
  const table = sql.id(schema, 'environment')
  const { rows } = await sql<{ hosts: string[] }>`select hosts from ${table}`.execute(db)
  const others = known.filter((other) => other.id !== id)
  const kept = known.find((other) => other.id === id)?.hosts
  const hosts = kept ?? requireOwnHosts(one.hosts ?? rows[0]?.hosts ?? [], others)
  await sql`update ${table} set id = ${id}, hosts = ${hosts}`.execute(db)
}

const isThere = (id: number) =>
  new BackupRefusedError(
    `La bibliothèque ${id} est déjà là\u202f: ajoutez --replace pour la remplacer (elle sera gardée à côté), ou --hosts=pret.exemple.fr pour en faire une nouvelle.`,
  )
