import type { Logger } from 'pino'

import { onlyPlainLetters } from '../domain/installation-checks.ts'
import { ConfigurationError, type Configuration } from './process/configuration.ts'
import { openConnections } from './db/connections.ts'
import {
  type Environment,
  longestReadMs,
  type Migrating,
  openEnvironment,
  openEnvironments,
  prepareDataDirectory,
  type StorageSettings,
} from './db/environment.ts'
import type { StartEngine } from './db/embedded-engine.ts'
import { embeddedEnvironmentIds } from './db/environment-ids.ts'
import { type Environments, environmentsChannel, servedBy } from './db/environments.ts'
import { openEnvironmentsOnDemand } from './db/environments-on-demand.ts'
import { knowsCapitals } from './db/knows-capitals.ts'
import { listHere } from './db/list-environments.ts'
import { toBeLetGo } from './db/managing.ts'
import { openReplica } from './db/replica.ts'
import { wasMovedFrom } from './db/kept-aside.ts'
import { requireOwnConnections } from './db/own-connections.ts'
import { furnishAtStart } from './furnish-at-start.ts'

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
    return { environments, said: await furnishAtStart(opened, firstStart), stop: () => environments.close() }
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
      const told = await furnishAtStart([environment], firstStart)
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
    connections.ear.listen(environmentsChannel, (payload) => {
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
