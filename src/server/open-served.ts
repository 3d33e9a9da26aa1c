import type { Logger } from 'pino'

import { onlyPlainLetters } from '../domain/installation-checks.ts'
import { openConnections } from './db/connections/connections.ts'
import type { StartEngine } from './db/engine/embedded-engine.ts'
import { embeddedEnvironmentIds } from './db/environments/environment-ids.ts'
import {
  type Environment,
  longestReadMs,
  type Migrating,
  openEnvironment,
  openEnvironments,
  prepareDataDirectory,
  type StorageSettings,
} from './db/environments/environment.ts'
import { openEnvironmentsOnDemand } from './db/environments/environments-on-demand.ts'
import { type Environments, environmentsChannel, servedBy } from './db/environments/environments.ts'
import type { Db } from './db/handles.ts'
import { wasMovedFrom } from './db/environments/kept-aside.ts'
import { knowsCapitals } from './db/knows-capitals.ts'
import { listHere } from './db/environments/list-environments.ts'
import { toBeLetGo } from './db/environments/managing.ts'
import { requireOwnConnections } from './db/connections/own-connections.ts'
import { openReplica } from './db/connections/replica.ts'
import { seedEnvironment, hasNobody } from './seed-environment.ts'
import { journal } from './http/journal.ts'
import { type Configuration, ConfigurationError } from './process/configuration.ts'
import { setPassword } from './session/change-password.ts'
import {
  demonstrationAccounts,
  demonstrationAddress,
  findShutAccounts,
} from './session/demonstration-accounts.ts'
import { revokeSessions } from './session/open-session.ts'
import { hashPassword } from './session/password-hash.ts'
import { faultOfPassword } from './session/password-rules.ts'

type FirstStart = {
  adminPassword: string | null
  isMailSent: boolean
}

type Account = { id: number; username: string }

/** Answers French lines for the terminal; throws ConfigurationError for a weak ADMIN_PASSWORD. */
export async function seedAtStart(
  environments: readonly Environment[],
  { adminPassword, isMailSent }: FirstStart,
): Promise<string[]> {
  const weakness = adminPassword === null ? null : faultOfPassword(adminPassword, 'admin')
  const shutIn = new Map<Environment, Account[]>()
  for (const environment of environments) {
    const shut = await findShutAccounts(environment.db)
    shutIn.set(environment, shut)
    if (weakness && ((await hasNobody(environment.db)) || shut.some(isAdmin)))
      throw new ConfigurationError(`ADMIN_PASSWORD\u202f: ${weakness}`)
  }
  const said: string[] = []
  for (const [environment, shut] of shutIn) {
    const { generated } = await seedEnvironment(environment.db, adminPassword)
    if (generated !== null)
      said.push(
        `Premier démarrage\u202f: connectez-vous en «\u202fadmin\u202f» avec le mot de passe ${generated}`,
      )
    said.push(...(await shutDemonstration(environment, shut, adminPassword)))
    if (isMailSent && (await forgetInventedAddresses(environment.db)))
      said.push(
        'Les adresses inventées de la démonstration sont effacées\u202f: aucun lien ne part vers elles.',
      )
  }
  return said
}

const isAdmin = ({ username }: Account) => username === 'admin'

async function shutDemonstration(
  { db }: Environment,
  accounts: readonly Account[],
  adminPassword: string | null,
): Promise<string[]> {
  const now = new Date()
  const said: string[] = []
  const admin = accounts.find(isAdmin)
  if (admin && adminPassword !== null) {
    const password_hash = await hashPassword(adminPassword)
    await db.transaction().execute(async (trx) => {
      await setPassword(trx, admin.id, password_hash, now)
      const entry = { action: 'password.first_start', entity: 'users', entity_id: admin.id }
      await journal(trx, { now, key: null, caller: { user_id: admin.id } }, entry)
    })
    said.push(
      'Le compte «\u202fadmin\u202f» avait le mot de passe publié de la démonstration\u202f: il a maintenant celui d’ADMIN_PASSWORD.',
    )
  }
  const shut = accounts.filter((account) => account !== admin || adminPassword === null)
  if (shut.length === 0) return said
  // Sessions opened while it was a demonstration end.
  await db.transaction().execute(async (trx) => {
    for (const { id } of shut) await revokeSessions(trx, { user_id: id }, now)
  })
  const names = new Intl.ListFormat('fr').format(shut.map(({ username }) => username))
  said.push(
    shut.length === 1
      ? `Compte fermé, car il a encore le mot de passe publié de la démonstration\u202f: ${names}.`
      : `Comptes fermés, car ils ont encore le mot de passe publié de la démonstration\u202f: ${names}.`,
  )
  if (shut.some(isAdmin)) said.push('Pour ouvrir «\u202fadmin\u202f», relancez avec ADMIN_PASSWORD.')
  if (!shut.every(isAdmin))
    said.push(
      'Un nouveau mot de passe, choisi par le lien «\u202fMot de passe oublié\u202f», ouvre un compte.',
    )
  return said
}

/** A reset link to an invented address would give the account to that address's owner. */
async function forgetInventedAddresses(db: Db): Promise<boolean> {
  const { demonstration } = await db
    .selectFrom('environment')
    .select('demonstration')
    .executeTakeFirstOrThrow()
  if (!demonstration) return false
  const forgotten = await db
    .updateTable('users')
    .set({ email: null })
    .where('email', 'in', demonstrationAccounts.usernames.map(demonstrationAddress))
    .returning('id')
    .execute()
  return forgotten.length > 0
}

type Served = { environments: Environments; said: string[]; stop(): Promise<void> }

/** Opens what a server serves; what is `said` is for the terminal. Throws ConfigurationError and what opening throws. */
export async function openServed(
  configuration: Configuration,
  logger: Logger,
  startEngine?: StartEngine,
): Promise<Served> {
  const { dataDir, databaseUrl, databaseReadUrl, embeddedLimit, adminPassword, smtpUrl } = configuration
  const firstStart = { adminPassword, isMailSent: smtpUrl !== null }
  const storage: StorageSettings = {
    dataDir,
    databaseUrl,
    onEvent: ({ level, message }) => logger[level](message),
    ...(startEngine ? { startEngine } : {}),
  }
  if (databaseUrl === null) {
    const { length } = await embeddedEnvironmentIds(dataDir)
    if (length === 0 && (await wasMovedFrom(dataDir))) throw new ConfigurationError(movedFrom(dataDir))
    if (length > embeddedLimit) throw new ConfigurationError(tooManyEmbedded(length, embeddedLimit))
    const opened = await openEnvironments(storage)
    const environments = servedBy(opened)
    return { environments, said: await seedAtStart(opened, firstStart), stop: () => environments.close() }
  }

  await prepareDataDirectory(storage)
  await requireOwnConnections(databaseUrl)
  const connections = openConnections(databaseUrl, { most: configuration.databaseConnections })
  const replica =
    databaseReadUrl === null
      ? null
      : openReplica(databaseReadUrl, {
          most: configuration.databaseReadConnections,
          statementTimeoutMs: longestReadMs,
          onChange: tellReplica(logger),
        })
  const end = () => Promise.all([connections.end(), replica?.end()])
  const said: string[] = []
  let isStarting = true
  const open = async (id: number, migrating: Migrating): Promise<Environment> => {
    const environment = await openEnvironment({ ...storage, connections, replica, migrating }, id)
    try {
      const told = await seedAtStart([environment], firstStart)
      if (isStarting) said.push(...told)
      else told.forEach((line) => logger.info({ environment: id }, line))
    } catch (error) {
      await environment.close()
      throw error
    }
    return environment
  }
  const ground = connections.ground
  try {
    if (!(await knowsCapitals(ground))) said.push(`${onlyPlainLetters.fact} ${onlyPlainLetters.advice}`)
    const environments = await openEnvironmentsOnDemand({
      list: () => listHere(ground),
      open,
      isBusy: hasWork,
      onEvent: storage.onEvent ?? (() => undefined),
    })
    // What keeps the only one from opening is told to who starts the server.
    await environments.openOnly()
    // The command that adds, renames, replaces or removes one rings.
    connections.listener.listen(environmentsChannel, (payload) => {
      const id = toBeLetGo(payload)
      const heard = id === null ? environments.refresh() : environments.letGo(id)
      void heard.catch(() => undefined)
    })
    isStarting = false
    return {
      environments,
      said,
      stop: async () => {
        await environments.close()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

const tellReplica = (logger: Logger) => (trouble: string | null) =>
  trouble === null
    ? logger.info('the copy at DATABASE_READ_URL is read again')
    : logger.warn(`the copy at DATABASE_READ_URL is not read: ${trouble}`)

const movedFrom = (dataDir: string) =>
  `La bibliothèque de «\u202f${dataDir}\u202f» a été déplacée (npm run environment -- move)\u202f: servez-la là où elle est.`

const tooManyEmbedded = (count: number, limit: number) =>
  `${count} bibliothèques sont dans ce dossier, et la base embarquée en ouvre ${limit} au plus (EMBEDDED_LIMIT)\u202f: ` +
  'au-delà, passez à PostgreSQL (DATABASE_URL, docs/scaling.md).'

/** Mails that have not left and work that is not over keep an environment awake. */
async function hasWork({ db }: Environment): Promise<boolean> {
  const { waits } = await db
    .selectNoFrom((eb) =>
      eb
        .or([
          eb.exists(eb.selectFrom('mail_outbox').select('id').where('status', '=', 'queued')),
          eb.exists(eb.selectFrom('jobs').select('id').where('ended_at', 'is', null)),
          eb.exists(eb.selectFrom('archives').select('id').where('ended_at', 'is', null)),
        ])
        .as('waits'),
    )
    .executeTakeFirstOrThrow()
  return Boolean(waits)
}
