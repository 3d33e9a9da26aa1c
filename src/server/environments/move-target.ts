import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { sql } from 'kysely'

import { requireOwnHosts, tooManyEmbedded } from '../backup/environment-hosts.ts'
import type { FreshEnvironment } from '../backup/load-environment.ts'
import { syncDirectory, syncTree } from '../db/engine/durable-file-system.ts'
import { startEmbeddedEngine } from '../db/engine/embedded-engine.ts'
import { type StorageSettings } from '../db/environments/environment.ts'
import { embeddedEnvironmentIds, postgresEnvironmentIds } from '../db/environments/environment-ids.ts'
import { listSchemas } from '../db/environments/list-environments.ts'
import { ownName } from '../db/environments/own-name.ts'
import type { Db } from '../db/handles.ts'
import { manageAlone, nextEnvironmentId } from '../db/environments/managing.ts'
import { requireOwnConnections } from '../db/connections/own-connections.ts'
import { onSchema, openPool } from '../db/connections/pool.ts'

/** Where a library moves to: built under a name that nobody serves, named anew once it is whole, and put in place last. */
type MoveTarget = {
  /** Throws BackupRefusedError where hosts are taken, or none tells it from others. */
  requireHosts(hosts: readonly string[]): Promise<void>
  build(): Promise<FreshEnvironment>
  /** Says that what was built is all of it. */
  tellWhole(): Promise<void>
  /** Whether a move that was cut short left it whole. */
  isWhole(): Promise<boolean>
  /** Answers its number here. */
  putInPlace(): Promise<number>
  discard(): Promise<void>
}

/** A name that two moves at once cannot share. */
type Moving = { id: number; key: string }

export function withTarget<T>(
  target: StorageSettings,
  moving: Moving & { embeddedLimit: number },
  move: (target: MoveTarget) => Promise<T>,
): Promise<T> {
  const dataDir = resolve(target.dataDir)
  mkdirSync(join(dataDir, 'environments'), { recursive: true, mode: 0o700 })
  return target.databaseUrl === null
    ? move(inDirectory(dataDir, moving))
    : inDatabase(target.databaseUrl, { dataDir, moving }, move)
}

function directories(dataDir: string, { id, key }: Moving) {
  const building = join(dataDir, `environment-${id}-${key}-building`)
  const moving = join(dataDir, `environment-${id}-${key}-moving`)
  return {
    building,
    moving,
    of: (number: number) => join(dataDir, 'environments', String(number)),
    rename(from: string, to: string) {
      renameSync(from, to)
      syncDirectory(dataDir)
      syncDirectory(join(dataDir, 'environments'))
    },
    discard() {
      for (const one of [building, moving]) rmSync(one, { recursive: true, force: true })
    },
  }
}

function inDirectory(dataDir: string, moving: Moving & { embeddedLimit: number }): MoveTarget {
  const places = directories(dataDir, moving)
  const openAt = async (files: string): Promise<FreshEnvironment> => {
    mkdirSync(files, { recursive: true, mode: 0o700 })
    const engine = await startEmbeddedEngine(join(files, 'database'))
    const { pool, db } = openPool({ ...engine.connection, max: 1 })
    return { db, schema: 'public', files, close: () => pool.end().then(() => engine.stop()) }
  }
  return {
    async requireHosts(hosts) {
      const ids = await embeddedEnvironmentIds(dataDir)
      if (ids.length >= moving.embeddedLimit) throw tooManyEmbedded(moving.embeddedLimit)
      const known = []
      for (const id of ids) {
        const { db, close } = await openAt(places.of(id))
        const rows = await db
          .selectFrom('environment')
          .select(['id', ownName('public').as('name'), 'hosts'])
          .execute()
          .finally(close)
        known.push(...rows)
      }
      requireOwnHosts(hosts, known)
    },
    build: () => openAt(places.building),
    async tellWhole() {
      syncTree(places.building)
      places.rename(places.building, places.moving)
    },
    isWhole: () => Promise.resolve(existsSync(places.moving)),
    async putInPlace() {
      const ids = await embeddedEnvironmentIds(dataDir)
      const id = ids.includes(moving.id) ? Math.max(...ids) + 1 : moving.id
      const { db, schema, close } = await openAt(places.moving)
      await sql`update ${sql.id(schema, 'environment')} set id = ${id}`.execute(db).finally(close)
      places.rename(places.moving, places.of(id))
      return id
    },
    discard: async () => places.discard(),
  }
}

async function inDatabase<T>(
  databaseUrl: string,
  { dataDir, moving }: { dataDir: string; moving: Moving },
  move: (target: MoveTarget) => Promise<T>,
): Promise<T> {
  await requireOwnConnections(databaseUrl)
  const places = directories(dataDir, moving)
  const { pool, db } = openPool({ connectionString: databaseUrl, max: 2, keepAlive: true })
  const [building, whole] = [
    `building_env_${moving.id}_${moving.key}`,
    `moving_env_${moving.id}_${moving.key}`,
  ]
  const isThere = async (schema: string) => {
    const { rows } = await sql<{ there: boolean }>`
      select to_regnamespace(${schema}) is not null as there`.execute(db)
    return rows[0]?.there === true
  }
  /** Its files were put in place, and the number chosen, by a move that was cut short there; else a number that is free. */
  const numberOf = async (): Promise<number> => {
    if (!existsSync(places.moving)) {
      const { rows } = await sql<{ id: number }>`select id from ${sql.id(whole, 'environment')}`.execute(db)
      return rows[0]?.id ?? moving.id
    }
    const isFree = async (id: number) => !(await isThere(`env_${id}`)) && !existsSync(places.of(id))
    let id = moving.id
    if (!(await isFree(id))) for (id = await nextEnvironmentId(db); !(await isFree(id));) id += 1
    return id
  }
  const target: MoveTarget = {
    async requireHosts(hosts) {
      requireOwnHosts(hosts, await listSchemas(db, await postgresEnvironmentIds(db)))
    },
    async build() {
      const fresh = openPool({ connectionString: databaseUrl, ...onSchema(building), max: 1 })
      mkdirSync(places.building, { recursive: true, mode: 0o700 })
      return { db: fresh.db, schema: building, files: places.building, close: () => fresh.pool.end() }
    },
    async tellWhole() {
      syncTree(places.building)
      places.rename(places.building, places.moving)
      await renameSchema(db, building, whole)
    },
    isWhole: () => isThere(whole),
    async putInPlace() {
      const id = await numberOf()
      await sql`update ${sql.id(whole, 'environment')} set id = ${id}`.execute(db)
      if (existsSync(places.moving)) places.rename(places.moving, places.of(id))
      await renameSchema(db, whole, `env_${id}`)
      return id
    },
    async discard() {
      for (const schema of [building, whole])
        await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(db)
      places.discard()
    },
  }
  return manageAlone(db, () => move(target)).finally(() => pool.end())
}

const renameSchema = (db: Db, from: string, to: string) =>
  sql`alter schema ${sql.id(from)} rename to ${sql.id(to)}`.execute(db)
