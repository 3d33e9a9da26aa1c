import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { type Kysely, type Migration, Migrator, sql, type Transaction } from 'kysely'
import type pg from 'pg'

import {
  DataDirectoryUnusableError,
  fullAtStart,
  isDiskFull,
  requireWritableDirectory,
} from './disk-trouble.ts'
import { DataDirectoryBusyError, type EmbeddedEngine, startEmbeddedEngine } from './embedded-engine.ts'
import { migrations as ours } from './migrations/migrations.ts'
import { openPool } from './pool.ts'
import { finishDirectorySwap } from './restored-directory.ts'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Trx = Transaction<Database>

/** One organisation: one database handle. Nothing below this handle knows that there are others. */
export type Environment = {
  id: number
  name: string
  hosts: readonly string[]
  demonstration: boolean
  /** Names the database itself: another one, even with the same rows, has another name. */
  base: string
  db: Db
  pool: pg.Pool
  /** Where its images are kept. */
  files: string
  /** Present on the embedded engine. */
  engine: EmbeddedEngine | null
  close(): Promise<void>
}

export type StorageSettings = {
  dataDir: string
  databaseUrl: string | null
  onEvent?: (event: { level: 'info' | 'warn' | 'error'; message: string }) => void
}

/** How a server's connections are called on PostgreSQL: a restore does not replace what one of them serves. */
export const applicationName = 'comptoir'

const extensions = ['pg_trgm', 'unaccent', 'btree_gist', 'citext']

/** Opens every environment of this server, each migrated; makes the first one where there is none. */
export async function openEnvironments(settings: StorageSettings): Promise<Environment[]> {
  await requireWritableDirectory(settings.dataDir)
  finishDirectorySwap(settings.dataDir)
  const ids = settings.databaseUrl
    ? await postgresEnvironmentIds(settings.databaseUrl)
    : await embeddedEnvironmentIds(settings.dataDir)
  const environments: Environment[] = []
  try {
    for (const id of ids.length > 0 ? ids : [1]) environments.push(await openEnvironment(settings, id))
  } catch (error) {
    await Promise.all(environments.map((environment) => environment.close()))
    throw error
  }
  return environments
}

/** Numbers of the environments in a data directory, in order. */
export async function embeddedEnvironmentIds(dataDir: string): Promise<number[]> {
  const names = await readdir(join(dataDir, 'environments')).catch(() => [])
  return names
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0)
    .sort((a, b) => a - b)
}

/** Numbers of the environments in a PostgreSQL database, in order. */
export async function postgresEnvironmentIds(connectionString: string): Promise<number[]> {
  const { pool, db } = openPool({ connectionString, max: 1 })
  try {
    const { rows } = await sql<{ name: string }>`
      select nspname as name from pg_namespace where nspname ~ '^env_[1-9][0-9]{0,8}$'`.execute(db)
    return rows.map(({ name }) => Number(name.slice(4))).sort((a, b) => a - b)
  } finally {
    await pool.end()
  }
}

/** Opens one environment: a directory with its own embedded engine, or a schema of a PostgreSQL database. */
export async function openEnvironment(settings: StorageSettings, id: number): Promise<Environment> {
  const files = join(settings.dataDir, 'environments', String(id))
  await mkdir(files, { recursive: true })
  const engine = settings.databaseUrl
    ? null
    : await startEmbeddedEngine(
        join(files, 'database'),
        settings.onEvent ? { onEvent: settings.onEvent } : {},
      ).catch(whyNot(settings.dataDir))
  const schema = engine ? 'public' : `env_${id}`
  const { pool, db } = openPool(
    engine
      ? { ...engine.connection, connectionTimeoutMillis: 15_000 }
      : {
          connectionString: settings.databaseUrl ?? '',
          application_name: applicationName,
          // One stays: whoever would replace the base sees that it is served.
          min: 1,
          options: `-c search_path=${schema},public`,
          connectionTimeoutMillis: 15_000,
        },
  )
  const close = async () => {
    await pool.end()
    await engine?.stop()
  }
  try {
    await migrate(db, schema)
    await db
      .insertInto('environment')
      .values({ id, name: 'Comptoir', image_path: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const row = await db
      .selectFrom('environment')
      .select(['name', 'hosts', 'demonstration'])
      .executeTakeFirstOrThrow()
    const { rows } = await sql<{ base: string }>`
      select system_identifier::text as base from pg_control_system()`.execute(db)
    return { id, ...row, base: rows[0]?.base ?? '', db, pool, files, engine, close }
  } catch (error) {
    await close()
    throw error
  }
}

const whyNot = (dataDir: string) => async (error: unknown) => {
  if (error instanceof DataDirectoryBusyError || !(await isDiskFull(dataDir))) throw error
  throw new DataDirectoryUnusableError(fullAtStart(dataDir), { cause: error })
}

/** A newer version has been here. The message is for the terminal. */
export class DatabaseAheadError extends Error {
  override readonly name = 'DatabaseAheadError'
  constructor(unknown: readonly string[]) {
    super(
      `La base a été mise à jour par une version plus récente de Comptoir (${unknown.join(', ')})\u202f: ` +
        'installez cette version, ou reprenez une sauvegarde faite avant la mise à jour.',
    )
  }
}

/**
 * Brings a schema to today's shape, all or nothing. Two servers that start at once wait for each other; nothing ever goes backwards:
 * throws DatabaseAheadError where a newer version went further.
 */
export async function migrate(
  db: Db,
  schema: string,
  migrations: Readonly<Record<string, Migration>> = ours,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Creating a schema or an extension is not safe against itself.
    await sql`select pg_advisory_xact_lock(7302114)`.execute(trx)
    await sql`create schema if not exists ${sql.id(schema)}`.execute(trx)
    for (const extension of extensions) {
      await sql`create extension if not exists ${sql.id(extension)} schema public`.execute(trx)
    }
  })
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableSchema: schema,
  })
  const { error } = await migrator.migrateToLatest()
  if (!error) return
  // Looked at afterwards: a newer server may have been migrating while this one waited.
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(`${schema}.kysely_migration`)} order by name`.execute(db)
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name))
  throw unknown.length > 0 ? new DatabaseAheadError(unknown) : error
}
