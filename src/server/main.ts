import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { getRequestListener } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import pino from 'pino'

import { calendarDayOf } from '../domain/calendar-day.ts'
import { createApp } from './app.ts'
import { type Configuration, ConfigurationError, readConfiguration } from './configuration.ts'
import { DataDirectoryBusyError } from './db/embedded-engine.ts'
import { DatabaseAheadError, type Environment, openEnvironments } from './db/environment.ts'
import { furnishEnvironment } from './db/furnish-environment.ts'
import { demonstrationPassword } from './demonstration/furnish-demonstration.ts'
import { loadDemonstration } from './demonstration/load-demonstration.ts'
import { startHousekeeping } from './jobs/housekeeping.ts'
import { type RunningMailSender, startMailSender } from './jobs/mail-sender.ts'
import { openTransport } from './mail/transport.ts'
import { servePages } from './pages.ts'
import { faultOfPassword } from './session/password-rules.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

async function start(): Promise<void> {
  const isDemonstration = process.argv.includes('--demo')
  const isDevelopment = process.argv.includes('--dev')
  const configuration = configurationOf(isDemonstration)
  const logger = pino({ level: isDemonstration || isDevelopment ? 'warn' : 'info' })

  say('Ouverture de la base…')
  const environments = await openEnvironments({
    dataDir: configuration.dataDir,
    databaseUrl: configuration.databaseUrl,
    onEvent: ({ level, message }) => logger[level](message),
  })
  for (const environment of environments) await furnish(environment, configuration, isDemonstration)

  const app = createApp({
    environments,
    logger,
    publicUrl: configuration.publicUrl,
    addressOf: addressReader(configuration.trustProxy),
  })
  const root = packageRoot()
  const vite = isDevelopment ? await (await import('./development.ts')).openVite(root) : null
  if (!vite) await servePages(app, join(root, 'dist', 'client'))

  const api = getRequestListener(app.fetch)
  const server = createServer((request, response) => {
    if (vite && !/^\/(api|auth|dns|resetting|health)(\/|\?|$)/.test(request.url ?? ''))
      vite.middlewares(request, response)
    else void api(request, response)
  })
  // A client that sends its request slower than this has gone, or means harm.
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000

  const transport = openTransport({
    smtpUrl: configuration.smtpUrl,
    mailFrom: configuration.mailFrom,
    directory: join(configuration.dataDir, 'mail'),
  })
  const sender = startMailSender({ environments, transport, logger })
  const housekeeping = startHousekeeping(environments, logger)

  server.on('error', (error: NodeJS.ErrnoException) => {
    say(
      error.code === 'EADDRINUSE'
        ? `Le port ${configuration.port} est déjà pris : choisissez-en un autre par PORT.`
        : `Le serveur n’a pas pu démarrer : ${error.message}`,
    )
    void stop(1)
  })
  server.listen(configuration.port, configuration.host, () => {
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : configuration.port
    say(
      `Comptoir est ouvert : http://${configuration.host === '127.0.0.1' ? 'localhost' : configuration.host}:${port}`,
    )
    if (isDemonstration) {
      say(`Démonstration : admin, biblio, benevole ou lecture, mot de passe ${demonstrationPassword}`)
    }
  })

  let isStopping = false
  const stop = async (code: number) => {
    if (isStopping) return
    isStopping = true
    housekeeping.stop()
    // Requests under way are answered; connections that wait for nothing are closed.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 10_000).unref())])
    await stopJobs(sender)
    transport.close()
    await vite?.close()
    await Promise.all(environments.map((environment) => environment.close()))
    process.exit(code)
  }
  process.on('SIGINT', () => void stop(0))
  process.on('SIGTERM', () => void stop(0))
}

const stopJobs = (sender: RunningMailSender) => sender.stop()

/** A demonstration keeps its data apart and listens to this machine alone, whatever the environment says. */
function configurationOf(isDemonstration: boolean): Configuration {
  const configuration = readConfiguration(process.env)
  if (!isDemonstration) return configuration
  return {
    ...configuration,
    host: '127.0.0.1',
    dataDir: process.env['DATA_DIR'] ? configuration.dataDir : './data/demonstration',
  }
}

async function furnish(
  environment: Environment,
  configuration: Configuration,
  isDemonstration: boolean,
): Promise<void> {
  const { generated } = await furnishEnvironment(
    environment.db,
    isDemonstration ? demonstrationPassword : configuration.adminPassword,
  )
  const weakness = isDemonstration ? null : faultOfPassword(configuration.adminPassword ?? '', 'admin')
  if (configuration.adminPassword !== null && weakness) say(`ADMIN_PASSWORD : ${weakness}`)
  if (generated !== null)
    say(`Premier démarrage : connectez-vous en « admin » avec le mot de passe ${generated}`)
  if (!isDemonstration || environment.demonstration) return
  const started = performance.now()
  await loadDemonstration(environment, {
    today: calendarDayOf(new Date(), 'Europe/Paris'),
    onProgress: showProgress,
  })
  environment.demonstration = true
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

/** Behind a proxy that is trusted, the last address it added; else the connection's own. */
function addressReader(trustProxy: boolean) {
  return (context: Context): string => {
    const forwarded = trustProxy
      ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
      : undefined
    return forwarded || (getConnInfo(context).remote.address ?? '')
  }
}

/** The folder of package.json, from src/server as from dist/server. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}

try {
  await start()
} catch (error) {
  const isPlain = [ConfigurationError, DataDirectoryBusyError, DatabaseAheadError].some(
    (kind) => error instanceof kind,
  )
  if (isPlain && error instanceof Error) say(error.message)
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exit(1)
}
