import { sql } from 'kysely'
import { mkdir, chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { ConnectionPool } from '../connections/borrowing-pool.ts'
import { type Connections, openConnections } from '../connections/connections.ts'
import type { Listener } from '../connections/listener.ts'
import { namingClient } from '../connections/named-statements.ts'
import { openPool, poolDb, type PoolTarget } from '../connections/pool.ts'
import type { LibraryReplica, Replica } from '../connections/replica.ts'
import { type SchemaLock, type SchemaReplacedError, sharedSchemaLock } from '../connections/schema-lock.ts'
import {
  DataDirectoryBusyError,
  type EmbeddedEngine,
  startEmbeddedEngine,
  type StartEngine,
} from '../engine/embedded-engine.ts'
import { patientName } from '../engine/postgres-wire-server.ts'
import { codeOf } from '../error-code.ts'
import type { Db } from '../handles.ts'
import { boundStatements } from '../lists/planned-cost.ts'
import { ordersLearnt } from '../lists/remembered-order.ts'
import { migrations as ours } from '../migrations/migrations.ts'
import { currentTimeline, passLostNumbers, pastOfToday, toldPast } from '../past.ts'
import {
  DataDirectoryUnusableError,
  fullAtStart,
  isDiskFull,
  requireWritableDirectory,
} from './disk-trouble.ts'
import { environmentIds } from './environment-ids.ts'
import { distribute, isOfSeveralMachines } from './distribution.ts'
import { migrate } from './migrate.ts'
import { ownName } from './own-name.ts'
import { finishDirectorySwap, finishRestoredFiles } from './restored-files.ts'

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
  replica: LibraryReplica | null
  files: string
  engine: EmbeddedEngine | null
  /** What other processes tell is heard here; null on the embedded engine, which has one process. */
  listener: Listener | null
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
  /** A copy that follows the database, which environments that are open in one process share. */
  replica?: Replica | null
  /** Shared by environments that are open in one process; each has its own unless given. */
  connections?: Connections
  onEvent?: (event: StorageEvent) => void
  isDemonstration?: boolean
  /** Starts the embedded engine: as a process of its own unless given. */
  startEngine?: StartEngine
  /** Runs the migration of a schema that is behind, for who opens many of them. */
  migrating?: Migrating
}

export type Migrating = (migration: () => Promise<void>) => Promise<void>

/** Connections of one environment in use at once; lists cannot take those that a scan needs. */
const most = { scans: 7, longReads: 3 }
/** In milliseconds: long reads wait in their own line, and each takes a second connection for its total. */
const patience = { scans: 15_000, longReads: 60_000 }

/** Of a statement of a long read. */
export const longestReadMs = 10_000

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

export async function openEnvironment(settings: StorageSettings, id: number): Promise<Environment> {
  const files = join(settings.dataDir, 'environments', String(id))
  await mkdir(files, { recursive: true, mode: 0o700 })
  const engine = settings.databaseUrl
    ? null
    : await (settings.startEngine ?? startEmbeddedEngine)(
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
  const replica = settings.replica?.of(schema, () => currentTimeline(db)) ?? null
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
        .values({ id, name: 'Comptoir', image_path: null, past: await pastOfToday(db) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    // A schema that was just made, migrated or restored lies on the machine that is asked.
    if (connections && (found?.isOfSeveralMachines ?? true)) await distribute(db, schema)
    const row = found ?? (await readOfToday(db, schema))
    if (!row) throw new Error(`${schema} is not as its migrations leave it`)
    if (row.isOfOtherPast && (await passLostNumbers(db)))
      tell({
        level: 'warn',
        message: `environment ${id} is back from an earlier state: its numbers go on further on`,
      })
    if (connections) {
      await lock.knowSchema(db)
      // Held while it is open, so that a restore sees that the base is served.
      leave = await connections.listener.keep(lock)
      await finishRestoredFiles(db, { dataDir: settings.dataDir, id, schema })
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
      listener: connections?.listener ?? null,
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

type Row = Pick<Environment, 'name' | 'hosts' | 'demonstration' | 'base'> & {
  isOfOtherPast: boolean
  isOfSeveralMachines: boolean
}

/** What an environment says of itself; null where its schema is not of this version. */
async function readOfToday(db: Db, schema: string): Promise<Row | null> {
  // A schema that is closed to this account would be an error to name; a machine's own name is asked where no table is read,
  // since a distributed engine runs what reads one on the machine that holds it.
  const { rows: places } = await sql<{ made: boolean; base: string; past: string | null; several: boolean }>`
    select case when current_schema() = ${schema} then
      to_regclass(${`${schema}.kysely_migration`}) is not null and to_regclass(${`${schema}.environment`}) is not null
        and to_regclass(${`${schema}.users`}) is not null else false end as made,
      (select system_identifier::text from pg_control_system()) as base, ${toldPast} as past,
      ${isOfSeveralMachines} as several`.execute(db)
  const [place] = places
  if (!place?.made) return null
  const { rows } = await sql<
    Pick<Row, 'name' | 'hosts' | 'demonstration'> & { past: string | null; migrations: string[] }
  >`
    select ${ownName(schema)} as name, hosts, demonstration, to_jsonb(environment) ->> 'past' as past,
      (select json_agg(name order by name) from ${sql.table(`${schema}.kysely_migration`)}) as migrations
    from ${sql.table(`${schema}.environment`)}`.execute(db)
  const [row] = rows
  const isOfToday = JSON.stringify(row?.migrations) === JSON.stringify(Object.keys(ours).sort())
  if (!row || !isOfToday) return null
  const { name, hosts, demonstration, past } = row
  // A copy, which takes no writes, is in no past of its own.
  const isOfOtherPast = place.past !== null && past !== place.past
  return { name, hosts, demonstration, base: place.base, isOfOtherPast, isOfSeveralMachines: place.several }
}

const whyNot = (dataDir: string) => async (error: unknown) => {
  if (error instanceof DataDirectoryBusyError || !(await isDiskFull(dataDir))) throw error
  throw new DataDirectoryUnusableError(fullAtStart(dataDir), { cause: error })
}

/** Closes bases and images to other accounts of the machine; earlier versions left some open. */
export async function closeDirectories(dataDir: string): Promise<void> {
  const names = await readdir(dataDir)
  for (const name of names) {
    if (name === 'environments' || name.startsWith('environments-')) await chmod(join(dataDir, name), 0o700)
  }
  const environments = join(dataDir, 'environments')
  for (const id of await readdir(environments).catch(() => [])) {
    await chmod(join(environments, id, 'database'), 0o700).catch((error: unknown) => {
      // With a PostgreSQL database there are only files here.
      if (codeOf(error) !== 'ENOENT') throw error
    })
  }
}
