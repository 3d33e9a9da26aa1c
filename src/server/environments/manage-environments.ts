import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import * as v from 'valibot'

import { layPreset as layPresetCall } from '../../contract/start-presets.ts'
import { type PresetCode, presets } from '../../domain/presets/presets.ts'
import { BackupRefusedError } from '../backup/backup-refused.ts'
import { nobodyThere, requireHosts, requireOwnHosts, tooManyEmbedded } from '../backup/environment-hosts.ts'
import { type Connections, openConnections } from '../db/connections.ts'
import { type Environment, openEnvironment, type StorageSettings } from '../db/environment.ts'
import { embeddedEnvironmentIds, postgresEnvironmentIds } from '../db/environment-ids.ts'
import { type KnownEnvironment, listSchemas } from '../db/list-environments.ts'
import type { Db, Trx } from '../db/handles.ts'
import { manageAlone, nextEnvironmentId, ringServers } from '../db/managing.ts'
import { readParameters } from '../db/parameters.ts'
import { lockSchemasAlone } from '../db/schema-lock.ts'
import { furnishEnvironment } from '../furnish-environment.ts'
import type { Exchange } from '../http/exchange.ts'
import { linkBase } from '../http/link-base.ts'
import type { Outcome } from '../http/outcome.ts'
import { exchangeOfJob } from '../jobs/job-exchange.ts'
import { updateParameters } from '../settings/update-parameter.ts'
import { layPreset } from '../start/lay-preset.ts'
import { migrateMany } from './migrate-many.ts'
import { sendInvitation } from '../users/send-invitation.ts'

export type ManageSettings = StorageSettings & { embeddedLimit: number; publicUrl: string }

export type NewEnvironment = {
  name: string
  hosts: readonly string[]
  preset: PresetCode | null
  /** The address of its administrator, who is invited by mail; a password is made up where it is null. */
  administrator: string | null
}

/** What there is, and what changes it: every change may be done again, and ends what was begun before. */
export type Manager = {
  list(): Promise<KnownEnvironment[]>
  /** `generated` is the first administrator's password, where nobody is invited. */
  add(wanted: NewEnvironment): Promise<{ id: number; wasThere: boolean; generated: string | null }>
  rename(id: number, name: string): Promise<void>
  giveHosts(id: number, hosts: readonly string[]): Promise<void>
  /** Opens it for as long as `work` takes. */
  within<T>(id: number, work: (environment: Environment) => Promise<T>): Promise<T>
  /** Brings each to this version, so many at a time; answers what is to be said. Throws BackupRefusedError where some failed. */
  migrate(atOnce: number, onProgress: (line: string) => void): Promise<string>
  /** For good, with its files; throws BackupRefusedError while a server does not let go of it. */
  remove(id: number): Promise<void>
  close(): Promise<void>
}

/** One of them hears, one holds the lock of who manages. */
const mostConnections = 10
/** Migrations at once: each has a connection of its own, and on the embedded engine a process. */
const mostAtOnce = { postgres: 8, embedded: 1 }

export function openManager(settings: ManageSettings): Manager {
  const connections = settings.databaseUrl
    ? openConnections(settings.databaseUrl, { most: mostConnections })
    : null
  return connections ? onPostgres(settings, connections) : onEmbedded(settings)
}

/** A name that a person reads; throws BackupRefusedError. */
function requireName(name: string): string {
  const told = name.trim()
  if (told === '' || told.length > 100) throw new BackupRefusedError('Le nom va de 1 à 100 signes.')
  return told
}

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
    add: (wanted) => alone(async () => changes.add(wanted, await nextEnvironmentId(ground))),
    migrate: async (wanted, onProgress) => {
      const atOnce = Math.min(wanted, mostAtOnce.postgres)
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
    remove: (id) =>
      alone(async () => {
        const there = await schemaOf(ground, id)
        if (there === null) throw nobodyThere(id)
        // Servers that have it open let go of it once they are told that it is no more.
        if (there === 'env')
          await sql`alter schema ${sql.id(`env_${id}`)} rename to ${sql.id(removed(id))}`.execute(ground)
        await ringServers(ground)
        const until = performance.now() + lettingGoMs
        for (;;) {
          const isDone = await ground.connection().execute(async (lane) => {
            if (!(await lockSchemasAlone(lane, [id]))) return false
            try {
              await sql`drop schema ${sql.id(removed(id))} cascade`.execute(lane)
              return true
            } finally {
              await sql`select pg_advisory_unlock_all()`.execute(lane)
            }
          })
          if (isDone) break
          if (performance.now() > until)
            throw new BackupRefusedError(
              `Un serveur tient encore la bibliothèque ${id}\u202f: elle n’est plus servie, et ses données sont gardées sous «\u202f${removed(id)}\u202f». Recommencez pour les effacer.`,
            )
          await pause(200)
        }
        await rm(join(settings.dataDir, 'environments', String(id)), { recursive: true, force: true })
      }),
    close: () => connections.end(),
  }
}

/** In milliseconds. */
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
  return {
    list,
    async add(wanted) {
      const ids = await embeddedEnvironmentIds(dataDir)
      if (ids.length >= embeddedLimit) throw tooManyEmbedded(embeddedLimit)
      return changes.add(wanted, (ids.at(-1) ?? 0) + 1)
    },
    async migrate(_, onProgress) {
      // Opening one to read its name would migrate it.
      const known = (await embeddedEnvironmentIds(dataDir)).map((id) => ({
        id,
        name: `Bibliothèque ${id}`,
        hosts: [],
      }))
      return migrateMany({ known, open: openOne, atOnce: mostAtOnce.embedded, onProgress })
    },
    rename: changes.rename,
    giveHosts: changes.giveHosts,
    within: async (id, work) => {
      await requireKnown(id)
      return open(id, work)
    },
    async remove(id) {
      const [only, ...others] = await embeddedEnvironmentIds(dataDir)
      if (only !== id && !others.includes(id)) throw nobodyThere(id)
      // Refused while a server has it open.
      await open(id, async () => undefined)
      await rm(join(dataDir, 'environments', String(id)), { recursive: true, force: true })
    },
    close: async () => undefined,
  }
}

type Engine = {
  settings: ManageSettings
  list(): Promise<KnownEnvironment[]>
  open(id: number): Promise<Environment>
}

/** What is the same on both engines. */
function changesOf({ settings, list, open: openOne }: Engine) {
  const open = async <T>(id: number, work: (environment: Environment) => Promise<T>): Promise<T> => {
    const environment = await openOne(id)
    try {
      return await work(environment)
    } finally {
      await environment.close()
    }
  }
  const requireKnown = async (id: number): Promise<KnownEnvironment[]> => {
    const all = await list()
    if (!all.some((one) => one.id === id)) throw nobodyThere(id)
    return all.filter((one) => one.id !== id)
  }
  return {
    open,
    requireKnown,
    async add(wanted: NewEnvironment, next: number) {
      const name = requireName(wanted.name)
      const all = await list()
      const asked = new Set(wanted.hosts.map((host) => host.toLowerCase()))
      // One that has these very hosts was added by a command that was cut short, and is gone on with.
      const same = all.find(
        ({ hosts }) =>
          asked.size > 0 && hosts.length === asked.size && hosts.every((host) => asked.has(host)),
      )
      const hosts = requireOwnHosts(
        wanted.hosts,
        all.filter((one) => one !== same),
      )
      const id = same?.id ?? next
      return open(id, async (environment) => {
        const { db } = environment
        await db.updateTable('environment').set({ name, hosts }).execute()
        const { generated } = await furnishEnvironment(db, null)
        const mail = wanted.administrator
        await db.transaction().execute(async (trx) => {
          const exchange = await exchangeOfFirst(trx, environment, linkBase(settings.publicUrl, hosts))
          await nameLibrary(trx, exchange, name)
          if (wanted.preset) await lay(trx, wanted.preset, exchange)
          if (mail !== null && generated !== null) await invite(trx, mail, exchange)
        })
        return { id, wasThere: same !== undefined, generated: mail === null ? generated : null }
      })
    },
    async rename(id: number, name: string) {
      const told = requireName(name)
      await requireKnown(id)
      await open(id, async (environment) => {
        await environment.db.updateTable('environment').set({ name: told }).execute()
        await environment.db.transaction().execute(async (trx) => {
          await nameLibrary(trx, await exchangeOfFirst(trx, environment, settings.publicUrl), told)
        })
      })
    },
    async giveHosts(id: number, hosts: readonly string[]) {
      const others = await requireKnown(id)
      const asked = requireHosts(hosts, others)
      if (others.length > 0 && asked.length === 0)
        throw new BackupRefusedError(
          'Il y a d’autres bibliothèques ici\u202f: celle-ci garde au moins un hôte.',
        )
      await open(id, ({ db }) => db.updateTable('environment').set({ hosts: asked }).execute())
    },
  }
}

/** The command works as the first administrator, who may do all that it asks for. */
async function exchangeOfFirst(trx: Trx, environment: Environment, publicUrl: string): Promise<Exchange> {
  const parameters = await readParameters(trx)
  const { id } = await trx.selectFrom('users').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
  const asked = { user_id: id, site: null, device_id: null }
  const exchange = await exchangeOfJob(trx, asked, { environment, parameters, now: new Date() })
  if (!exchange) throw new BackupRefusedError('Le premier compte de cette bibliothèque est désactivé.')
  return { ...exchange, publicUrl }
}

async function nameLibrary(trx: Trx, exchange: Exchange, name: string): Promise<void> {
  requireDone(
    await updateParameters(
      trx,
      { body: [{ code: 'work_council', value: name }], params: undefined, query: undefined },
      exchange,
    ),
  )
}

async function lay(trx: Trx, code: PresetCode, exchange: Exchange): Promise<void> {
  const { title: _title, about: _about, profiles, ...rest } = presets[code]
  const body = v.parse(layPresetCall.body, {
    preset: code,
    ...rest,
    profiles: profiles.map(({ name, rights }) => ({ name, rights })),
  })
  requireDone(await layPreset(trx, { body, params: undefined, query: undefined }, exchange))
}

async function invite(trx: Trx, email: string, exchange: Exchange): Promise<void> {
  const user = await trx
    .updateTable('users')
    .set({ email, password_chosen: false })
    .where('id', '=', exchange.caller.user_id)
    .returning(['id', 'username', 'firstname', 'lastname'])
    .executeTakeFirstOrThrow()
  const refused = await sendInvitation(trx, { ...user, email }, exchange)
  if (refused) requireDone(refused)
}

/** A verb's refusal ends the command with its sentence. */
function requireDone(outcome: Outcome<unknown>): void {
  if (!outcome.ok)
    throw new BackupRefusedError(outcome.refusal.violations?.[0]?.message ?? outcome.refusal.message)
}
