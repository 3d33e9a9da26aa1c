import { existsSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { getRequestListener } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import type { Logger } from 'pino'

import { createApp } from './app.ts'
import type { Configuration } from './process/configuration.ts'
import type { Environment } from './db/environment.ts'
import { type Environments, servedBy } from './db/environments.ts'
import { startNightlyBackup } from './backup/nightly-backup.ts'
import { startFoundImages } from './catalogue/found-images.ts'
import { afterFailures, jobSteps } from './job-steps.ts'
import { openLiveChanges } from './events/live-changes.ts'
import { askedHost, hostName } from './http/asked-host.ts'
import type { ChangePhase } from './http/run-change.ts'
import { startArchives } from './leaving/archive-maker.ts'
import { startHousekeeping, startMailSweep } from './housekeeping/housekeeping.ts'
import type { BackgroundLoop } from './jobs/background-loop.ts'
import { startDailyReminders } from './mail/daily-reminders.ts'
import { startForgetting } from './forgetting/forget-of-today.ts'
import { startMailSender } from './mail/mail-sender.ts'
import type { SendingPhase } from './mail/send-mails.ts'
import { startJobs } from './jobs/run-jobs.ts'
import { openTransport } from './mail/transport.ts'
import { tightenWrittenMails } from './mail/written-mails.ts'
import { openMetrics } from './metrics/metrics.ts'
import { servePages } from './pages.ts'
import { openSecurityLog } from './security/security-log.ts'

export type ServeSettings = {
  configuration: Configuration
  environments: readonly Environment[] | Environments
  logger: Logger
  isDevelopment?: boolean
  /** Called around each commit, where the tests of faults stop the process. */
  onPhase?: (phase: ChangePhase, endpoint: string) => void
  /** Called around the sending of each mail, likewise. */
  onMail?: (phase: SendingPhase) => void
}

export type Service = {
  port: number
  /** Answers what is under way, ends the jobs, closes the environments. */
  stop(): Promise<void>
}

const patienceMs = 10_000

/** Listens, serves and runs the jobs; throws what `listen` throws (`EADDRINUSE`…). */
export async function serve(settings: ServeSettings): Promise<Service> {
  const { configuration, logger } = settings
  const environments = servedBy(settings.environments)
  const { metricsToken } = configuration
  const metrics = metricsToken === null ? null : openMetrics(environments)
  const mailDirectory = join(configuration.dataDir, 'mail')
  await tightenWrittenMails(mailDirectory).catch((error: unknown) =>
    logger.warn({ err: error }, 'written mails left open to other accounts'),
  )
  const transport = openTransport({
    smtpUrl: configuration.smtpUrl,
    mailFrom: configuration.mailFrom,
    directory: mailDirectory,
  })
  const live = openLiveChanges(logger)
  metrics?.openStreams(() => live.size)
  const securityLog = openSecurityLog(logger, configuration.securityLog)
  let sender: BackgroundLoop | null = null
  let jobs: BackgroundLoop | null = null
  let archives: BackgroundLoop | null = null
  const app = createApp({
    environments,
    logger,
    live,
    publicUrl: configuration.publicUrl,
    lookUpSources: configuration.lookupSources,
    syncSource: configuration.syncSource,
    mailTransport: transport,
    installed: configuration,
    hurryMails: () => sender?.wake(),
    hurryJobs: () => {
      jobs?.wake()
      archives?.wake()
    },
    addressOf: addressReader(configuration.trustProxy),
    isProxyTrusted: configuration.trustProxy,
    securityLog,
    metrics: metrics && metricsToken !== null ? { metrics, token: metricsToken } : null,
    ...(settings.onPhase ? { onPhase: settings.onPhase } : {}),
  })
  const root = packageRoot()
  const vite = settings.isDevelopment ? await (await import('./development.ts')).openVite(root) : null
  const hostOf = askedHost(configuration.trustProxy)
  if (!vite)
    await servePages(app, join(root, 'dist', 'client'), (context) =>
      environments.knows(hostName(hostOf(context))),
    )

  const api = getRequestListener(app.fetch)
  let stopping: Promise<void> | undefined
  const underWay = new Set<ServerResponse>()
  const server = createServer({ connectionsCheckingInterval: 5000 }, (request, response) => {
    if (stopping) return refuseWhileStopping(response)
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
    if (vite && !/^\/(api|auth|dns|resetting|health|metrics)(\/|\?|$)/.test(request.url ?? ''))
      vite.middlewares(request, response)
    else void api(request, response)
  })
  // A client that sends slower than this has gone or means harm.
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  server.maxHeadersCount = 100
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(configuration.port, configuration.host, () => {
      server.off('error', reject)
      resolve()
    })
  })

  const { publicUrl } = configuration
  const mails = (sender = startMailSender({
    environments,
    transport,
    logger,
    publicUrl,
    ...(settings.onMail ? { onPhase: settings.onMail } : {}),
  }))
  const work = (jobs = startJobs({
    environments,
    steps: jobSteps,
    afterFailures,
    logger,
    onStep: () => mails.wake(),
  }))
  const reminders = startDailyReminders({ environments, logger, publicUrl, onStep: () => mails.wake() })
  const forgetting = startForgetting({ environments, logger })
  const leaving = (archives = startArchives({ environments, logger }))
  const images = startFoundImages({ environments, lookUpSources: configuration.lookupSources, logger })
  const housekeeping = startHousekeeping(environments, logger)
  const mailSweep = startMailSweep(mailDirectory, logger)
  const { backupDir, backupKeepDays: keepDays, dataDir, databaseUrl } = configuration
  const nightly =
    backupDir === null
      ? null
      : startNightlyBackup({ directory: backupDir, keepDays, storage: { dataDir, databaseUrl } }, logger)

  const stop = async () => {
    mailSweep.stop()
    nightly?.stop()
    live.close()
    // Requests under way are the last of their connections, and idle connections are closed.
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const response of underWay) response.shouldKeepAlive = false
    server.closeIdleConnections()
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())])
    await Promise.all([
      work.stop(),
      mails.stop(),
      images.stop(),
      leaving.stop(),
      reminders.stop(),
      forgetting.stop(),
      housekeeping.stop(),
    ])
    transport.close()
    await vite?.close()
    await securityLog.close()
    await environments.close()
  }
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => (stopping ??= stop()),
  }
}

/** The caller asks again over a new connection, and finds the next server. */
function refuseWhileStopping(response: ServerResponse): void {
  const body = { code: 503, message: 'Le serveur redémarre. Réessayez dans un instant.' }
  const headers = { 'Content-Type': 'application/json', 'Retry-After': '2', Connection: 'close' }
  response.writeHead(503, headers).end(JSON.stringify(body))
}

/** Behind a trusted proxy, the last address it added; else the connection's own. */
function addressReader(trustProxy: boolean) {
  return (context: Context): string => {
    const forwarded = trustProxy
      ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
      : undefined
    return forwarded || (getConnInfo(context).remote.address ?? '')
  }
}

/** The folder of package.json, for src/server and dist/server alike. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
}
