import { sql } from 'kysely'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { BackupRefusedError } from '../backup/backup-refused.ts'
import { nobodyThere, tooManyEmbedded } from '../backup/environment-hosts.ts'
import { atMost } from '../db/at-most.ts'
import { type Connections, openConnections } from '../db/connections/connections.ts'
import { lockSchemasAlone } from '../db/connections/schema-lock.ts'
import { embeddedEnvironmentIds, postgresEnvironmentIds } from '../db/environments/environment-ids.ts'
import { openEnvironment, type Environment } from '../db/environments/environment.ts'
import { type KnownEnvironment, listSchemas } from '../db/environments/list-environments.ts'
import { manageAlone, nextEnvironmentId, ringServers } from '../db/environments/managing.ts'
import type { Db } from '../db/handles.ts'
import { changesOf } from './changes-of-one.ts'
import type { Manager, ManageSettings } from './managed-environments.ts'

/** Each of them is a process of its own, and so is opened alone, while no server has it. */
function onEmbedded(settings: ManageSettings): Manager {
  const { dataDir, embeddedLimit } = settings
  const openOne = (id: number) => openEnvironment(settings, id)
  const list = async () => {
    const known: KnownEnvironment[] = []
    for (const id of await embeddedEnvironmentIds(dataDir)) {
      const { name, hosts, close } = await openOne(id)
      await close()
      known.push({ id, name, hosts })
    }
    return known
  }
  const { open, requireKnown, ...changes } = changesOf({ settings, list, open: openOne })
  const remove = async (id: number) => {
    const [only, ...others] = await embeddedEnvironmentIds(dataDir)
    if (only !== id && !others.includes(id)) throw nobodyThere(id)
    // Refused while a server has it open.
    await open(id, async () => undefined)
    await rm(join(dataDir, 'environments', String(id)), { recursive: true, force: true })
  }
  return {
    list,
    add: (wanted) =>
      changes.add(wanted, async () => {
        const ids = await embeddedEnvironmentIds(dataDir)
        if (ids.length >= embeddedLimit) throw tooManyEmbedded(embeddedLimit)
        return (ids.at(-1) ?? 0) + 1
      }),
    undoAdd: async (id, before) => {
      await remove(id)
      await changes.giveBackHosts(before)
    },
    async migrate(_, onProgress) {
      // Opening one to read its name would migrate it.
      const known = (await embeddedEnvironmentIds(dataDir)).map((id) => ({
        id,
        name: `Bibliothèque ${id}`,
        hosts: [],
      }))
      return migrateMany({ known, open: openOne, atOnce: 1, onProgress })
    },
    rename: changes.rename,
    giveHosts: changes.giveHosts,
    within: async (id, work) => {
      await requireKnown(id)
      return open(id, work)
    },
    remove,
    close: async () => undefined,
  }
}

/** Migrations at once: each has a connection of its own. */
const mostAtOnce = 8

function onPostgres(settings: ManageSettings, connections: Connections): Manager {
  const { ground } = connections
  const storage = { ...settings, connections }
  const list = async () => listSchemas(ground, await postgresEnvironmentIds(ground))
  const alone = <T>(work: () => Promise<T>): Promise<T> => manageAlone(ground, work)
  const { open, requireKnown, ...changes } = changesOf({
    settings,
    list,
    open: (id) => openEnvironment(storage, id),
  })

  return {
    list,
    add: (wanted) => alone(() => changes.add(wanted, () => nextEnvironmentId(ground))),
    undoAdd: (id, before) =>
      alone(async () => {
        await removeSchema(ground, id, settings.dataDir)
        await changes.giveBackHosts(before)
      }),
    migrate: async (wanted, onProgress) => {
      const atOnce = Math.min(wanted, mostAtOnce)
      return migrateMany({
        known: await list(),
        open: (id) => openEnvironment(storage, id),
        atOnce,
        onProgress,
      })
    },
    rename: (id, name) => alone(() => changes.rename(id, name)),
    giveHosts: (id, hosts) => alone(() => changes.giveHosts(id, hosts)),
    within: async (id, work) => {
      await requireKnown(id)
      return open(id, work)
    },
    remove: (id) => alone(() => removeSchema(ground, id, settings.dataDir)),
    close: () => connections.end(),
  }
}

/** Renamed first, so that servers which have it open are told that it is no more and let go of it. */
async function removeSchema(ground: Db, id: number, dataDir: string): Promise<void> {
  const there = await schemaOf(ground, id)
  if (there === null) throw nobodyThere(id)
  if (there === 'env')
    await sql`alter schema ${sql.id(`env_${id}`)} rename to ${sql.id(removed(id))}`.execute(ground)
  await ringServers(ground)
  const until = performance.now() + lettingGoMs
  while (!(await dropRemoved(ground, id))) {
    if (performance.now() > until)
      throw new BackupRefusedError(
        `Un serveur tient encore la bibliothèque ${id}\u202f: elle n’est plus servie, et ses données sont gardées sous «\u202f${removed(id)}\u202f». Recommencez pour les effacer.`,
      )
    await pause(200)
  }
  await rm(join(dataDir, 'environments', String(id)), { recursive: true, force: true })
}

/** Answers whether it is gone: not while a server holds it. */
const dropRemoved = (ground: Db, id: number): Promise<boolean> =>
  ground.connection().execute(async (lane) => {
    if (!(await lockSchemasAlone(lane, [id]))) return false
    try {
      await sql`drop schema ${sql.id(removed(id))} cascade`.execute(lane)
      return true
    } finally {
      await sql`select pg_advisory_unlock_all()`.execute(lane)
    }
  })

const lettingGoMs = 30_000
const removed = (id: number) => `removed_env_${id}`

/** Whether it is there, or was begun to be removed. */
async function schemaOf(db: Db, id: number): Promise<'env' | 'removed' | null> {
  const { rows } = await sql<{ env: boolean; removed: boolean }>`
    select to_regnamespace(${`env_${id}`}) is not null as env, to_regnamespace(${removed(id)}) is not null as removed`.execute(
    db,
  )
  if (rows[0]?.env) return 'env'
  return rows[0]?.removed ? 'removed' : null
}

/** One of them hears, one holds the lock of who manages. */
const mostConnections = 10

export function openManager(settings: ManageSettings): Manager {
  const connections = settings.databaseUrl
    ? openConnections(settings.databaseUrl, { most: mostConnections })
    : null
  return connections ? onPostgres(settings, connections) : onEmbedded(settings)
}

type MigrateMany = {
  known: readonly KnownEnvironment[]
  open(id: number): Promise<Environment>
  atOnce: number
  /** A line for each library that is done. */
  onProgress(line: string): void
}

/**
 * Brings each library to this version, all or nothing, so many at a time, and goes on past one that fails; answers what
 * is to be said at the end. Throws BackupRefusedError with the cause of each that failed.
 */
async function migrateMany({ known, open, atOnce, onProgress }: MigrateMany): Promise<string> {
  const inTurn = atMost(atOnce)
  const failed: string[] = []
  let [done, migrated] = [0, 0]
  const migrateOne = async ({ id, name }: KnownEnvironment) => {
    const told = await open(id)
      .then(async (environment) => {
        await environment.close()
        if (!environment.isNew) return ' (déjà à jour)'
        migrated += 1
        return ''
      })
      .catch((error: unknown) => {
        failed.push(`${id}\t${name}\u202f: ${error instanceof Error ? error.message : String(error)}`)
        return ' (ÉCHEC)'
      })
    done += 1
    onProgress(`${done} sur ${known.length}\u202f: ${name}${told}`)
  }
  await Promise.all(known.map((one) => inTurn(() => migrateOne(one))))
  const said = `${counted(migrated, 'mise à jour', 'mises à jour')}, ${counted(known.length - migrated - failed.length, 'l’était déjà', 'l’étaient déjà')}.`
  if (failed.length === 0) return said
  throw new BackupRefusedError(
    [
      `${said} ${counted(failed.length, 'n’a pas pu l’être', 'n’ont pas pu l’être')}, et reste comme avant\u202f:`,
      ...failed,
    ].join('\n'),
  )
}

const counted = (count: number, one: string, several: string) =>
  count < 2 ? `${count === 0 ? 'aucune' : '1'} bibliothèque ${one}` : `${count} bibliothèques ${several}`
