import * as v from 'valibot'

import { layPreset as layPresetCall } from '../../contract/start-presets.ts'
import { deliveredParameters } from '../../domain/parameters.ts'
import { type PresetCode, presets } from '../../domain/presets/presets.ts'
import { BackupRefusedError } from '../backup/backup-refused.ts'
import { nobodyThere, requireHosts, requireOwnHosts } from '../backup/environment-hosts.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Trx } from '../db/handles.ts'
import type { KnownEnvironment } from '../db/environments/list-environments.ts'
import { readParameters } from '../library-facts/parameters.ts'
import { seedEnvironment } from '../seed-environment.ts'
import type { Exchange } from '../http/exchange.ts'
import { linkBase } from '../http/link-base.ts'
import type { Outcome } from '../http/outcome.ts'
import { exchangeOfJob } from '../jobs/job-exchange.ts'
import { updateParameters } from '../settings/update-parameter.ts'
import { layPreset } from '../start/lay-preset.ts'
import { sendInvitation } from '../users/invite-user.ts'
import type { ManageSettings, NewEnvironment } from './managed-environments.ts'

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

async function layChosen(trx: Trx, code: PresetCode, exchange: Exchange): Promise<void> {
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

type Engine = {
  settings: ManageSettings
  list(): Promise<KnownEnvironment[]>
  open(id: number): Promise<Environment>
}

/** What is the same on both engines. */
export function changesOf({ settings, list, open: openOne }: Engine) {
  const open = async <T>(id: number, work: (environment: Environment) => Promise<T>): Promise<T> => {
    const environment = await openOne(id)
    try {
      return await work(environment)
    } finally {
      await environment.close()
    }
  }
  const setHosts = (id: number, hosts: readonly string[]) =>
    open(id, ({ db }) =>
      db
        .updateTable('environment')
        .set({ hosts: [...hosts] })
        .execute(),
    )
  const requireKnown = async (id: number): Promise<KnownEnvironment[]> => {
    const all = await list()
    if (!all.some((one) => one.id === id)) throw nobodyThere(id)
    return all.filter((one) => one.id !== id)
  }
  return {
    open,
    requireKnown,
    /** The first of those that were there `before` answers again wherever it did. */
    async giveBackHosts([first]: readonly KnownEnvironment[]) {
      if (first?.hosts.length === 0) await setHosts(first.id, [])
    },
    /** `nextId` is asked where none was begun under this name and these hosts, and may refuse. */
    async add(wanted: NewEnvironment, nextId: () => Promise<number>) {
      const name = requireName(wanted.name)
      const all = await list()
      const asked = new Set(wanted.hosts.map((host) => host.toLowerCase()))
      // One that has this name and these very hosts was added by a command that was cut short, and is gone on with.
      const same = all.find(
        (one) =>
          one.name === name &&
          asked.size > 0 &&
          one.hosts.length === asked.size &&
          one.hosts.every((host) => asked.has(host)),
      )
      const others = all.filter((one) => one !== same)
      const first = namedFirst(wanted.firstHosts, others)
      const hosts = requireOwnHosts(wanted.hosts, first ? [first, ...others.slice(1)] : [])
      const id = same?.id ?? (await nextId())
      if (first && first !== others[0]) await setHosts(first.id, first.hosts)
      return open(id, async (environment) => {
        const { db } = environment
        // In one, so that what goes on with it finds it by both.
        await db.transaction().execute(async (trx) => {
          await trx.updateTable('environment').set({ hosts }).execute()
          const { label } = deliveredParameters.work_council
          await trx
            .insertInto('parameters')
            .values({ code: 'work_council', value: name, info: label })
            .onConflict((conflict) => conflict.column('code').doNothing())
            .execute()
        })
        const { generated } = await seedEnvironment(db, null)
        const mail = wanted.administrator
        const isInvited = mail !== null && generated !== null
        const base = linkBase(settings.publicUrl, hosts)
        await db.transaction().execute(async (trx) => {
          const exchange = await exchangeOfFirst(trx, environment, base)
          if (wanted.preset) await layChosen(trx, wanted.preset, exchange)
          if (isInvited) await invite(trx, mail, exchange)
        })
        const wasAlone = all.length === 1 && !same ? first : null
        return {
          id,
          wasThere: same !== undefined,
          wasAlone,
          generated: mail === null ? generated : null,
          invitedTo: isInvited ? base : null,
        }
      })
    },
    async rename(id: number, name: string) {
      const told = requireName(name)
      await requireKnown(id)
      await open(id, async (environment) => {
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
      await setHosts(id, asked)
    },
  }
}

/**
 * The first of the others as it is to be: while it has no host it answers everywhere, and is told apart before another
 * comes. Null where there is none; throws BackupRefusedError.
 */
function namedFirst(
  firstHosts: readonly string[],
  [first, ...rest]: readonly KnownEnvironment[],
): KnownEnvironment | null {
  const asked = requireHosts(firstHosts, rest)
  if (!first) {
    if (asked.length === 0) return null
    throw new BackupRefusedError(
      'Il n’y a pas encore d’autre bibliothèque ici\u202f: --first-hosts ne nomme personne.',
    )
  }
  const itself = `La bibliothèque ${first.id} («\u202f${first.name}\u202f»)`
  if (first.hosts.length > 0) {
    if (asked.every((host) => first.hosts.includes(host))) return first
    throw new BackupRefusedError(
      `${itself} a déjà ses hôtes\u202f: «\u202fnpm run environment -- hosts ${first.id} pret.exemple.fr\u202f» en donne d’autres.`,
    )
  }
  if (asked.length === 0)
    throw new BackupRefusedError(
      `${itself} n’a pas d’hôte, et répond à toute adresse\u202f: dites par laquelle on y vient, --first-hosts=pret.exemple.fr.`,
    )
  return { ...first, hosts: asked }
}

/** A name that a person reads; throws BackupRefusedError. */
function requireName(name: string): string {
  const told = name.trim()
  if (told === '' || told.length > 100) throw new BackupRefusedError('Le nom va de 1 à 100 signes.')
  return told
}
