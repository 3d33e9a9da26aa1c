import type { Logger } from 'pino'

import { calendarDayOf } from '../domain/calendar-day.ts'
import {
  type Configuration,
  ConfigurationError,
  readConfiguration,
  readDemonstrationConfiguration,
} from './process/configuration.ts'
import { DataDirectoryUnusableError } from './db/environments/disk-trouble.ts'
import { DataDirectoryBusyError, type StartEngine } from './db/engine/embedded-engine.ts'
import { type Environment, openEnvironments } from './db/environments/environment.ts'
import { DatabaseAheadError, DatabaseMisplacedError, DatabaseTooOldError } from './db/environments/migrate.ts'
import { seedEnvironment } from './seed-environment.ts'
import { SharedConnectionsError } from './db/connections/own-connections.ts'
import { SchemaReplacedError } from './db/connections/schema-lock.ts'
import { loadDemonstration } from './demonstration/load-demonstration.ts'
import { servedBy } from './db/environments/environments.ts'
import { openServed } from './open-served.ts'
import { openLogger } from './process/logger.ts'
import { toldOpen, wrongArguments } from './said-at-start.ts'
import { serve, type ServeSettings, type Service } from './serve.ts'
import { demonstrationAccounts } from './session/demonstration-accounts.ts'

const plainErrors = [
  ConfigurationError,
  DataDirectoryBusyError,
  DataDirectoryUnusableError,
  DatabaseAheadError,
  DatabaseMisplacedError,
  DatabaseTooOldError,
  SchemaReplacedError,
  SharedConnectionsError,
]

const say = (text: string) => process.stdout.write(`${text}\n`)

type HowToStart = { isDemonstration: boolean; startEngine: StartEngine }

/** Serves until a signal stops it; what keeps it from that is said on the terminal and ends the process. */
export async function startServer(how: HowToStart): Promise<void> {
  const usage = wrongArguments(process.argv.slice(2))
  if (usage !== null) {
    say(usage)
    process.exit(1)
  }
  try {
    await start(how)
  } catch (error) {
    const isPlain = plainErrors.some((kind) => error instanceof kind)
    if (isPlain && error instanceof Error) say(error.message)
    else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exit(1)
  }
}

async function start({ isDemonstration, startEngine }: HowToStart): Promise<void> {
  const isDevelopment = process.argv.includes('--dev')
  const configuration = isDemonstration
    ? readDemonstrationConfiguration(process.env)
    : readConfiguration(process.env)
  const logger = openLogger(configuration.logLevel ?? (isDemonstration || isDevelopment ? 'warn' : 'info'))

  say('Ouverture de la base…')
  const {
    environments,
    said,
    stop: close,
  } = isDemonstration
    ? await openDemonstration(configuration, logger, startEngine)
    : await openServed(configuration, logger, startEngine)
  said.forEach(say)

  const service = await listenOrSay({ configuration, environments, logger, isDevelopment }, close)
  const stop = () =>
    void service
      .stop()
      .then(close)
      .then(() => process.exit(0))
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  toldOpen(environments.known, { ...configuration, port: service.port }).forEach(say)
  if (isDemonstration) {
    const { usernames, password } = demonstrationAccounts
    const names = new Intl.ListFormat('fr', { type: 'disjunction' }).format(usernames)
    say(`Démonstration : ${names}, mot de passe ${password}`)
  }
}

async function listenOrSay(settings: ServeSettings, close: () => Promise<void>): Promise<Service> {
  try {
    return await serve(settings)
  } catch (error) {
    await close()
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    say(`Le port ${settings.configuration.port} est déjà pris : choisissez-en un autre par PORT.`)
    process.exit(1)
  }
}

/** It is one environment on the embedded engine. */
async function openDemonstration(
  { dataDir }: Configuration,
  logger: Logger,
  startEngine: StartEngine,
): ReturnType<typeof openServed> {
  const opened = await openEnvironments({
    dataDir,
    databaseUrl: null,
    onEvent: ({ level, message }) => logger[level](message),
    isDemonstration: true,
    startEngine,
  })
  for (const environment of opened) await seedDemonstration(environment)
  const environments = servedBy(opened)
  return { environments, said: [], stop: () => environments.close() }
}

async function seedDemonstration(environment: Environment): Promise<void> {
  await seedEnvironment(environment.db, demonstrationAccounts.password)
  if (environment.demonstration) return
  const started = performance.now()
  await loadDemonstration(environment, {
    today: calendarDayOf(new Date(), 'Europe/Paris'),
    onProgress: showProgress,
  })
  say(`Médiathèque de démonstration prête en ${Math.round((performance.now() - started) / 1000)} s.`)
}

let lastShown = ''

function showProgress(done: number, total: number, label: string): void {
  const line = `${label} : ${Math.floor((100 * done) / Math.max(total, 1))} %`
  if (line === lastShown) return
  lastShown = line
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}${done >= total ? '\n' : ''}`)
  else if (done === 0 || done >= total) say(line)
}
