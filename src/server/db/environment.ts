import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { type Migration, Migrator, sql } from 'kysely'

import {
  DataDirectoryUnusableError,
  fullAtStart,
  isDiskFull,
  requireWritableDirectory,
} from './disk-trouble.ts'
import { type ConnectionPool, type Connections, openConnections } from './connections.ts'
import { DataDirectoryBusyError, type EmbeddedEngine, startEmbeddedEngine } from './embedded-engine.ts'
import { migrations as ours } from './migrations/migrations.ts'
import { openMachines } from './machines.ts'
import { namingClient } from './named-statements.ts'
import { boundStatements } from './planned-cost.ts'
import { openPool, poolDb, type PoolTarget } from './pool.ts'
import { closeDirectories } from './private-directories.ts'
import { ordersLearnt } from './remembered-order.ts'
import { openReplica, type Replica } from './replica.ts'
import { finishDirectorySwap } from './restored-directory.ts'
import { patientName } from './postgres-wire-server.ts'
import { type SchemaLock, type SchemaReplacedError, sharedSchemaLock } from './schema-lock.ts'
import type { Db, Trx } from './handles.ts'
import type { Ear } from './ear.ts'

/** One organisation and its database; the code below does not know that there are others. */
export type Environment = {
  id: number
  name: string
  hosts: readonly string[]
  demonstration: boolean
  /** Whether its schema was made or changed by this opening. */
  isNew: boolean
  /** Names this database: another one has another name, even with the same rows. */
  base: string
  db: Db
  pool: ConnectionPool
  /** Connections of their own for long reads, so that a scan always finds one free. */
  reads: Db
  /** Of work that nobody waits for: on the embedded engine it gives way to all others. */
  background: Db
  /** What reads of the whole library go to before `reads`, where one was named. */
  replica: Replica | null
  files: string
  engine: EmbeddedEngine | null
  /** What other processes tell is heard here; null on the embedded engine, which has one process. */
  ear: Ear | null
  /** Resolves when a restore replaced the database under this server. */
  replaced: Promise<SchemaReplacedError>
  tell(event: StorageEvent): void
  /** Notes that somebody asks of it now, so that it does not close. */
  use(): void
  /** The same from the beginning of `work` to its end, however slowly it is sent. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** When somebody last did, as `performance.now()` tells; now, while work is under way. */
  readonly usedAt: number
  close(): Promise<void>
  /** Resolves once it is closed. */
  closed: Promise<void>
}

type StorageEvent = { level: 'info' | 'warn' | 'error'; message: string }

export type StorageSettings = {
  dataDir: string
  databaseUrl: string | null
  /** Of a copy that follows the database. */
  readUrl?: string | null
  /** Shared by environments that are open in one process; each has its own unless given. */
  connections?: Connections
  onEvent?: (event: StorageEvent) => void
  isDemonstration?: boolean
  /** Runs the migration of a schema that is behind, for who opens many of them. */
  migrating?: Migrating
}

export type Migrating = (migration: () => Promise<void>) => Promise<void>

/** Connections of one environment in use at once; lists cannot take those that a scan needs. */
const most = { scans: 7, longReads: 3 }
/** In milliseconds: long reads wait in their own line, and each takes a second connection for its total. */
const patience = { scans: 15_000, longReads: 60_000 }

const longestReadMs = 10_000

const extensions = ['pg_trgm', 'unaccent', 'btree_gist', 'citext']

/** Makes the directory ready to be served; throws DataDirectoryUnusableError. */
export async function prepareDataDirectory(settings: StorageSettings): Promise<void> {
  await requireWritableDirectory(settings.dataDir)
  finishDirectorySwap(settings.dataDir)
  await closeDirectories(settings.dataDir).catch((error: unknown) =>
    settings.onEvent?.({
      level: 'warn',
      message: `directories left open to other accounts: ${String(error)}`,
    }),
  )
}

export async function openEnvironments(settings: StorageSettings): Promise<Environment[]> {
  await prepareDataDirectory(settings)
  const ids = await environmentIds(settings)
  const environments: Environment[] = []
  try {
    for (const id of ids.length > 0 ? ids : [1]) environments.push(await openEnvironment(settings, id))
  } catch (error) {
    await Promise.all(environments.map((environment) => environment.close()))
    throw error
  }
  return environments
}

export const environmentIds = ({ databaseUrl, dataDir }: StorageSettings): Promise<number[]> =>
  databaseUrl ? idsAt(databaseUrl) : embeddedEnvironmentIds(dataDir)

export async function embeddedEnvironmentIds(dataDir: string): Promise<number[]> {
  const names = await readdir(join(dataDir, 'environments')).catch(() => [])
  return names
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0)
    .sort((a, b) => a - b)
}

export async function idsAt(address: string): Promise<number[]> {
  const { pool, db } = openPool({ connectionString: await openMachines(address).writable(), max: 1 })
  return postgresEnvironmentIds(db).finally(() => pool.end())
}

export async function postgresEnvironmentIds(db: Db): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where nspname ~ '^env_[1-9][0-9]{0,8}$'`.execute(db)
  return rows.map(({ name }) => Number(name.slice(4))).sort((a, b) => a - b)
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
  const own = settings.databaseUrl && !settings.connections ? openConnections(settings.databaseUrl) : null
  const connections = settings.connections ?? own
  const { scans, longReads, background } = connections
    ? borrowedPools(connections, schema, lock)
    : enginePools(engine?.connection ?? {})
  const [db, reads] = [poolDb(scans), poolDb(longReads)]
  if (engine) boundStatements(reads)
  const tell = settings.onEvent ?? (() => undefined)
  const replica = settings.readUrl
    ? openReplica(settings.readUrl, schema, {
        statementTimeoutMs: longestReadMs,
        onChange: (trouble) =>
          trouble === null
            ? tell({ level: 'info', message: 'the copy at DATABASE_READ_URL is read again' })
            : tell({ level: 'warn', message: `the copy at DATABASE_READ_URL is not read: ${trouble}` }),
      })
    : null
  let leave = async () => {}
  let tellClosed = () => {}
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve
  })
  const end = async () => {
    await ordersLearnt(reads)
    await Promise.all([scans.end(), longReads.end(), background?.end(), replica?.close()])
    await leave()
    await own?.end()
    await engine?.stop()
    tellClosed()
  }
  let ending: Promise<void> | undefined
  const close = () => (ending ??= end())
  try {
    const found = await readOfToday(db, schema)
    if (!found) {
      const bring = settings.migrating ?? ((migration) => migration())
      await bring(() => migrate(db, schema))
      await db
        .insertInto('environment')
        .values({ id, name: 'Comptoir', image_path: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    const row = found ?? (await readOfToday(db, schema))
    if (!row) throw new Error(`${schema} is not as its migrations leave it`)
    if (connections) {
      await lock.knowSchema(db)
      // Held while it is open, so that a restore sees that the base is served.
      leave = await connections.ear.keep(lock)
    }
    let usedAt = performance.now()
    let underWay = 0
    return {
      id,
      name: row.name,
      hosts: row.hosts,
      demonstration: row.demonstration && settings.isDemonstration === true,
      base: row.base,
      isNew: !found,
      db,
      pool: scans,
      reads,
      background: background ? poolDb(background) : db,
      replica,
      files,
      engine,
      ear: connections?.ear ?? null,
      replaced: lock.replaced,
      tell,
      use() {
        usedAt = performance.now()
      },
      async during(work) {
        underWay += 1
        try {
          return await work()
        } finally {
          underWay -= 1
          usedAt = performance.now()
        }
      },
      get usedAt() {
        return underWay > 0 ? performance.now() : usedAt
      },
      close,
      closed,
    }
  } catch (error) {
    await close()
    throw error
  }
}

type Pools = { scans: ConnectionPool; longReads: ConnectionPool; background?: ConnectionPool }

function borrowedPools(connections: Connections, schema: string, lock: SchemaLock): Pools {
  const scans = { most: most.scans, isLongReads: false, statementTimeout: null, patience: patience.scans }
  const longReads = {
    most: most.longReads,
    isLongReads: true,
    statementTimeout: longestReadMs,
    patience: patience.longReads,
  }
  return {
    scans: connections.poolFor({ schema, lock, ...scans }),
    longReads: connections.poolFor({ schema, lock, ...longReads }),
  }
}

const enginePools = (target: PoolTarget): Pools => ({
  scans: openPool({ ...target, connectionTimeoutMillis: patience.scans, max: most.scans }).pool,
  longReads: openPool({
    ...target,
    connectionTimeoutMillis: patience.longReads,
    max: most.longReads,
    application_name: patientName,
  }).pool,
  background: openPool({
    ...target,
    max: 1,
    application_name: patientName,
    // Its steps are the same statements hundreds of times, and one connection alone shares no names.
    Client: namingClient(),
  }).pool,
})

type Row = Pick<Environment, 'name' | 'hosts' | 'demonstration' | 'base'>

/** What an environment says of itself in one statement; null where its schema is not of this version. */
async function readOfToday(db: Db, schema: string): Promise<Row | null> {
  // A schema that is closed to this account would be an error to name.
  const { rows: tables } = await sql<{ made: boolean }>`
    select case when current_schema() = ${schema} then
      to_regclass(${`${schema}.kysely_migration`}) is not null and to_regclass(${`${schema}.environment`}) is not null
        and to_regclass(${`${schema}.users`}) is not null else false end as made`.execute(db)
  if (!tables[0]?.made) return null
  const { rows } = await sql<Row & { migrations: string[] }>`
    select name, hosts, demonstration, (select system_identifier::text from pg_control_system()) as base,
      (select json_agg(name order by name) from ${sql.table(`${schema}.kysely_migration`)}) as migrations
    from ${sql.table(`${schema}.environment`)}`.execute(db)
  const [row] = rows
  const isOfToday = JSON.stringify(row?.migrations) === JSON.stringify(Object.keys(ours).sort())
  return row && isOfToday ? row : null
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
