import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { type Migration, Migrator, sql } from 'kysely'
import type pg from 'pg'

import {
  DataDirectoryUnusableError,
  fullAtStart,
  isDiskFull,
  requireWritableDirectory,
} from './disk-trouble.ts'
import { addressOnSchema } from './database-address.ts'
import { DataDirectoryBusyError, type EmbeddedEngine, startEmbeddedEngine } from './embedded-engine.ts'
import { migrations as ours } from './migrations/migrations.ts'
import { namingClient } from './named-statements.ts'
import { boundStatements } from './planned-cost.ts'
import { openPool } from './pool.ts'
import { closeDirectories } from './private-directories.ts'
import { ordersLearnt } from './remembered-order.ts'
import { finishDirectorySwap } from './restored-directory.ts'
import { patientName } from './postgres-wire-server.ts'
import { type SchemaReplacedError, sharedSchemaLock } from './schema-lock.ts'
import type { Db, Trx } from './handles.ts'

/** One organisation and its database; the code below does not know that there are others. */
export type Environment = {
  id: number
  name: string
  hosts: readonly string[]
  demonstration: boolean
  /** Names this database: another one has another name, even with the same rows. */
  base: string
  db: Db
  pool: pg.Pool
  /** Connections of their own for long reads, so that a scan always finds one free. */
  reads: Db
  files: string
  engine: EmbeddedEngine | null
  /** Resolves when a restore replaced the database under this server. */
  replaced: Promise<SchemaReplacedError>
  tell(event: StorageEvent): void
  close(): Promise<void>
}

type StorageEvent = { level: 'info' | 'warn' | 'error'; message: string }

export type StorageSettings = {
  dataDir: string
  databaseUrl: string | null
  onEvent?: (event: StorageEvent) => void
  isDemonstration?: boolean
}

const applicationName = 'comptoir'

/** Lists cannot take the connections that a scan needs. */
const connections = { scans: 7, reads: 3 }

const longestReadMs = 10_000

const extensions = ['pg_trgm', 'unaccent', 'btree_gist', 'citext']

export async function openEnvironments(settings: StorageSettings): Promise<Environment[]> {
  await requireWritableDirectory(settings.dataDir)
  finishDirectorySwap(settings.dataDir)
  await closeDirectories(settings.dataDir).catch((error: unknown) =>
    settings.onEvent?.({
      level: 'warn',
      message: `directories left open to other accounts: ${String(error)}`,
    }),
  )
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

export async function embeddedEnvironmentIds(dataDir: string): Promise<number[]> {
  const names = await readdir(join(dataDir, 'environments')).catch(() => [])
  return names
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0)
    .sort((a, b) => a - b)
}

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

export async function openEnvironment(settings: StorageSettings, id: number): Promise<Environment> {
  const files = join(settings.dataDir, 'environments', String(id))
  await mkdir(files, { recursive: true, mode: 0o700 })
  const engine = settings.databaseUrl
    ? null
    : await startEmbeddedEngine(
        join(files, 'database'),
        settings.onEvent ? { onEvent: settings.onEvent } : {},
      ).catch(whyNot(settings.dataDir))
  const schema = engine ? 'public' : `env_${id}`
  const lock = sharedSchemaLock(id)
  const target = engine
    ? engine.connection
    : {
        connectionString: addressOnSchema(settings.databaseUrl ?? '', schema),
        application_name: applicationName,
        Client: namingClient(),
        // One connection always holds the lock, so that a restore sees that the base is served.
        min: 1,
        onConnect: lock.onConnect,
      }
  const patience = { connectionTimeoutMillis: 15_000 }
  const { pool, db } = openPool({ ...target, ...patience, max: connections.scans })
  const forReads = openPool({
    ...target,
    // Reads wait in their own line, and each takes a second connection for its total.
    connectionTimeoutMillis: 60_000,
    max: connections.reads,
    min: 0,
    ...(engine ? { application_name: patientName } : { statement_timeout: longestReadMs }),
  })
  const reads = forReads.db
  if (engine) boundStatements(reads)
  const close = async () => {
    await ordersLearnt(reads)
    await Promise.all([pool.end(), forReads.pool.end()])
    await engine?.stop()
  }
  try {
    await migrate(db, schema)
    if (!engine) await lock.knowSchema(db)
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
    return {
      id,
      ...row,
      demonstration: row.demonstration && settings.isDemonstration === true,
      base: rows[0]?.base ?? '',
      db,
      pool,
      reads,
      files,
      engine,
      replaced: lock.replaced,
      tell: settings.onEvent ?? (() => undefined),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const whyNot = (dataDir: string) => async (error: unknown) => {
  if (error instanceof DataDirectoryBusyError || !(await isDiskFull(dataDir))) throw error
  throw new DataDirectoryUnusableError(fullAtStart(dataDir), { cause: error })
}

export class DatabaseAheadError extends Error {
  override readonly name = 'DatabaseAheadError'
  constructor(unknown: readonly string[]) {
    super(
      `La base a été mise à jour par une version plus récente de Comptoir (${unknown.join(', ')})\u202f: ` +
        'installez cette version, ou reprenez une sauvegarde faite avant la mise à jour.',
    )
  }
}

/** The tables are in another schema than the environment's; the message is for the terminal. */
export class DatabaseMisplacedError extends Error {
  override readonly name = 'DatabaseMisplacedError'
}

/** Earlier versions let the address's `options` choose another schema, where no backup found the tables. */
async function requireTables(db: Db | Trx, schema: string): Promise<void> {
  const { rows: made } = await sql<{ made: boolean }>`
    select to_regclass(${`${schema}.kysely_migration`}) is not null as made`.execute(db)
  if (!made[0]?.made) return
  // An unmigrated schema lets the `users` of another one show through.
  const { rows } = await sql<{ home: string }>`
    select n.nspname as home from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = to_regclass('users')
      and exists (select from ${sql.table(`${schema}.kysely_migration`)})`.execute(db)
  const home = rows[0]?.home ?? schema
  if (home === schema) return
  throw new DatabaseMisplacedError(
    `Dans cette base, les tables sont dans «\u202f${home}\u202f» au lieu de «\u202f${schema}\u202f»\u202f: déplacez-les ` +
      `(ALTER TABLE … SET SCHEMA ${schema}), ou reprenez une sauvegarde.`,
  )
}

/** Migrates a schema all or nothing; throws DatabaseAheadError or DatabaseMisplacedError. */
export async function migrate(
  db: Db,
  schema: string,
  migrations: Readonly<Record<string, Migration>> = ours,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Two servers that create one schema or extension at once would fail.
    await sql`select pg_advisory_xact_lock(7302114)`.execute(trx)
    await sql`create schema if not exists ${sql.id(schema)}`.execute(trx)
    const { rows } = await sql<{ found: string | null }>`select current_schema() as found`.execute(trx)
    const found = rows[0]?.found ?? ''
    if (found !== schema) {
      throw new DatabaseMisplacedError(
        `La connexion à la base ne s’ouvre pas sur le schéma «\u202f${schema}\u202f», mais sur «\u202f${found}\u202f»\u202f: ` +
          'vérifiez DATABASE_URL et les droits de ce compte sur ce schéma. Rien n’y a été écrit.',
      )
    }
    await requireTables(trx, schema)
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
  // It is checked last, because a newer server may have migrated while this one waited.
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(`${schema}.kysely_migration`)} order by name`.execute(db)
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name))
  throw unknown.length > 0 ? new DatabaseAheadError(unknown) : error
}
