import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { getRequestListener } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Context, Hono } from 'hono'
import type { Logger } from 'pino'

import { hostUnknownStatus } from '../contract/system.ts'
import { createApp } from './app.ts'
import { startNightlyBackup } from './backup/nightly-backup.ts'
import { undoStep } from './bulk-operations/undo-act.ts'
import { startFoundImages } from './catalogue/found-images.ts'
import { closeStep } from './closures/close-step.ts'
import { startArchives } from './data-export/archive-maker.ts'
import type { Environment } from './db/environments/environment.ts'
import { type Environments, servedBy } from './db/environments/environments.ts'
import { startForgetting } from './erasure/forget-of-today.ts'
import { eraseStep } from './erasure/erase-inactive.ts'
import { openLiveChanges } from './events/live-changes.ts'
import { startHousekeeping, startMailSweep } from './housekeeping/housekeeping.ts'
import { askedHost, hostName } from './http/asked-host.ts'
import type { ChangePhase } from './http/run-change.ts'
import { contentSecurityPolicy } from './http/security-headers.ts'
import { importStep } from './imports/run-import.ts'
import { applyStep, reopenAfterFailure } from './inventories/apply-step.ts'
import type { BackgroundLoop } from './jobs/background-loop.ts'
import { type AfterFailures, startJobs, type Steps } from './jobs/run-jobs.ts'
import { startDailyReminders } from './mail/daily-reminders.ts'
import { startMailSender } from './mail/mail-sender.ts'
import { massMailStep } from './mail/mass-mail-step.ts'
import type { SendingPhase } from './mail/send-mails.ts'
import { openTransport, tightenWrittenMails } from './mail/transport.ts'
import { openMetrics } from './metrics/metrics.ts'
import type { Configuration } from './process/configuration.ts'
import { openSecurityLog } from './security/security-log.ts'
import { hostUnknownPage } from './serving/host-unknown.ts'
import { syncStep } from './sync/sync-source.ts'
import { keepInCart, withdrawStep } from './weeding/withdraw-step.ts'

export const jobSteps: Steps = {
  'mail.reminders': massMailStep,
  'mail.recap': massMailStep,
  'acts.undo': undoStep,
  'imports.check': importStep,
  'imports.run': importStep,
  'sync.run': syncStep,
  'inventories.apply': applyStep,
  'closures.close': closeStep,
  'weeding.withdraw': withdrawStep,
  'readers.erase': eraseStep,
}

export const afterFailures: AfterFailures = {
  'inventories.apply': reopenAfterFailure,
  'weeding.withdraw': keepInCart,
}

const isHidden = (path: string) => /(^|\/)\./.test(path)

/** The nonce's places: the element components read it from, and the page's own style. */
const emptyNonces = /(?<=<meta name="csp-nonce" content=|<style nonce=)""/g

/**
 * Serves hashed files for ever, the worker uncached, and a page with its own nonce everywhere else; the files at any host,
 * so that a page which is open goes on, and the page where `isServed` says that the host is a library's.
 */
export async function servePages(
  app: Hono,
  directory: string,
  isServed: (context: Context) => Promise<boolean>,
): Promise<void> {
  // Read once, so that a build made meanwhile is not half served: the worker would keep the page beside files of another.
  const [page = '', worker = ''] = await Promise.all(
    ['index.html', 'sw.js'].map((name) => readFile(join(directory, name), 'utf8')),
  )
  if (!page.includes('<meta name="csp-nonce" content=""'))
    throw new Error('index.html has no place for its nonce')

  // Its pages lead to each other from where they lie.
  app.get('/guide', (context) => context.redirect('/guide/index.html'))
  app.get('/sw.js', (context) =>
    context.body(worker, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentSecurityPolicy(''),
    }),
  )
  app.use(
    '/*',
    serveStatic({
      root: directory,
      precompressed: true,
      // The page is served below with its nonce.
      rewriteRequestPath: (path) => (path === '/' || path === '/index.html' || isHidden(path) ? '/…' : path),
      onFound: (path, context) => {
        const isHashed = path.replaceAll('\\', '/').includes('/assets/')
        context.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        // Workers obey the policy of their own file.
        context.header('Content-Security-Policy', contentSecurityPolicy(''))
      },
    }),
  )
  // The worker receives files shared with the application; without it they are chosen there.
  app.post('/waiting', (context) => context.redirect('/waiting', 303))
  app.get('/*', async (context) => {
    const { path } = context.req
    const isFile = /^\/assets\/|\.\w{1,12}$/.test(path) && path !== '/index.html'
    if (isFile || isHidden(path)) {
      return context.text('Introuvable.', 404)
    }
    if (!(await isServed(context))) {
      context.header('Cache-Control', 'no-store')
      return context.html(hostUnknownPage, hostUnknownStatus)
    }
    const nonce = randomBytes(16).toString('base64url')
    context.header('Content-Security-Policy', contentSecurityPolicy(nonce))
    context.header('Cache-Control', 'no-cache')
    return context.html(page.replaceAll(emptyNonces, `"${nonce}"`))
  })
}

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
