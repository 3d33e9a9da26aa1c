import { createHash, timingSafeEqual } from 'node:crypto'

import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { compress } from 'hono/compress'
import { sql } from 'kysely'
import type { Logger } from 'pino'

import { streamEvents } from '../contract/events.ts'
import { getHealth } from '../contract/system.ts'
import { beneficiaryRoutes } from './beneficiaries/beneficiary-routes.ts'
import { actRoutes } from './bulk-operations/act-routes.ts'
import { calendarRoutes } from './calendar/calendar-routes.ts'
import { catalogueRoutes } from './catalogue/catalogue-routes.ts'
import { closureRoutes } from './closures/closure-routes.ts'
import { conflictRoutes } from './conflicts/conflict-routes.ts'
import { leavingRoutes } from './data-export/leaving-routes.ts'
import { isDatabaseUnreachable } from './db/connections/unreachable.ts'
import { isDiskFull, saysDiskFull } from './db/environments/disk-trouble.ts'
import type { Environment } from './db/environments/environment.ts'
import { EnvironmentShutError } from './db/environments/environments-on-demand.ts'
import { type Environments, servedBy } from './db/environments/environments.ts'
import { deviceRoutes } from './devices/device-routes.ts'
import { mountDocumentation } from './documentation/open-api.ts'
import { personalDataRoutes } from './erasure/personal-data-routes.ts'
import { streamHeaders } from './events/event-stream.ts'
import { type LiveChanges, openLiveChanges } from './events/live-changes.ts'
import { askedHost, askedOverHttps, hostName } from './http/asked-host.ts'
import { type Binding, probe, stream } from './http/binding.ts'
import { crossOrigin } from './http/cross-origin.ts'
import { type Installed, wayOf } from './http/installed.ts'
import { loggedError, sentValues } from './http/logged-error.ts'
import type { MailTransport } from './http/mail-transport.ts'
import { done, refuse } from './http/outcome.ts'
import { requestId } from './http/request-id.ts'
import { securityHeaders } from './http/security-headers.ts'
import { importRoutes } from './imports/import-routes.ts'
import { installationRoutes } from './installation/installation-routes.ts'
import { inventoryRoutes } from './inventories/inventory-routes.ts'
import { jobRoutes } from './jobs/list-jobs.ts'
import { journalRoutes } from './journal/journal-routes.ts'
import { labelRoutes } from './labels/label-routes.ts'
import { loanRoutes } from './loans/loan-routes.ts'
import { mailRoutes } from './mail/mail-routes.ts'
import { countChange, type Metrics } from './metrics/metrics.ts'
import { reservationRoutes } from './reservations/reservation-routes.ts'
import { saleRoutes } from './sales/sale-routes.ts'
import { openSecurityLog, type SecurityLog, watchRefusals } from './security/security-log.ts'
import { mountEnvironmentImage } from './serving/environment-image.ts'
import { hostUnknownRefusal } from './serving/host-unknown.ts'
import { mount, type MountSettings, refusalResponse } from './serving/mount.ts'
import { CallerLeft } from './serving/read-turns.ts'
import { sessionRoutes } from './session/session-routes.ts'
import { settingsListRoutes } from './settings-lists.ts'
import { settingRoutes } from './settings/setting-routes.ts'
import { snapshotRoutes } from './snapshot/snapshot-routes.ts'
import { startRoutes } from './start/start-routes.ts'
import { statRoutes } from './stats/stat-routes.ts'
import { syncRoutes } from './sync/sync-routes.ts'
import { sourceFor } from './sync/sync-source.ts'
import { userRoutes } from './users/user-routes.ts'
import { weedingRoutes } from './weeding/weeding-routes.ts'
import { yearlyReportRoutes } from './yearly-report/yearly-report-routes.ts'

const eventRoutes = [
  stream(streamEvents, async ({ environment, caller }, { method, lastEventId, live }) => {
    // Nobody would read or end the stream of a HEAD request.
    if (method === 'HEAD') return new Response(null, { headers: streamHeaders })
    const body = await live.feedOf(environment).open(caller.token_hash, lastEventId)
    return body
      ? new Response(body, { headers: streamHeaders })
      : refusalResponse({ status: 503, message: 'Le serveur s’arrête.', retryAfter: 2 })
  }),
]

/** Health is answered within this, whatever the database does. */
const longestWaitMs = 100
/** A question waits behind any work on the embedded engine, on PostgreSQL only behind our own. */
const patienceMs = { embedded: 30_000, postgres: 5000 }

type Question = { asked: number; answer: Promise<boolean> }

/** Of its own machine where it has one (docs/scaling.md, « A distributed engine »), or of the one that is asked. */
const questions = { own: sql`select from environment`, asked: sql`select 1` }
type Whose = keyof typeof questions

/** One question of each kind an environment at a time, so that none queue behind a long statement. */
const underWay = { own: new WeakMap<Environment, Question>(), asked: new WeakMap<Environment, Question>() }

/** Whether the database answers; a late answer counts as yes for `patience` ms while its process lives. */
export async function doesDatabaseAnswer(
  environment: Environment,
  patience = environment.engine ? patienceMs.embedded : patienceMs.postgres,
  whose: Whose = 'own',
): Promise<boolean> {
  const isAlive = () => environment.engine === null || environment.engine.pid !== undefined
  if (!isAlive()) return false
  const question = underWay[whose].get(environment) ?? ask(environment, whose)
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<boolean>((resolve) => {
    timer = setTimeout(
      () => resolve(isAlive() && performance.now() - question.asked < patience),
      longestWaitMs,
    )
  })
  const answers = await Promise.race([question.answer, waited])
  clearTimeout(timer)
  return answers
}

function ask(environment: Environment, whose: Whose): Question {
  const answer = questions[whose]
    .execute(environment.db)
    .then(
      () => true,
      () => false,
    )
    .finally(() => underWay[whose].delete(environment))
  const question = { asked: performance.now(), answer }
  underWay[whose].set(environment, question)
  return question
}

const healthRoutes = [
  probe(getHealth, async (environment, isItsHost) =>
    (await doesDatabaseAnswer(environment, undefined, isItsHost ? 'own' : 'asked'))
      ? done({ status: 'ok' as const, ...(isItsHost ? {} : { library: false as const }) })
      : refuse({ status: 503, message: 'La base de données ne répond pas.' }),
  ),
]

/** tests/architecture compares them with the contract. */
export const bindings: readonly Binding[] = [
  ...healthRoutes,
  ...sessionRoutes,
  ...loanRoutes,
  ...reservationRoutes,
  ...calendarRoutes,
  ...saleRoutes,
  ...conflictRoutes,
  ...beneficiaryRoutes,
  ...journalRoutes,
  ...actRoutes,
  ...importRoutes,
  ...syncRoutes,
  ...inventoryRoutes,
  ...weedingRoutes,
  ...catalogueRoutes,
  ...labelRoutes,
  ...settingRoutes,
  ...settingsListRoutes,
  ...closureRoutes,
  ...leavingRoutes,
  ...personalDataRoutes,
  ...jobRoutes,
  ...mailRoutes,
  ...deviceRoutes,
  ...installationRoutes,
  ...userRoutes,
  ...startRoutes,
  ...statRoutes,
  ...yearlyReportRoutes,
  ...snapshotRoutes,
  ...eventRoutes,
]

type AppSettings = {
  environments: readonly Environment[] | Environments
  logger: Logger
  now?: () => Date
  /** Proxies are believed only where the settings say so. */
  addressOf?: (context: Context) => string
  publicUrl?: string
  /** None unless said, so that nothing asks outside by chance. */
  lookUpSources?: readonly string[]
  /** As SYNC_SOURCE says it. */
  syncSource?: string | null
  mailTransport?: MailTransport
  /** What an administrator is told of the installation. */
  installed?: Pick<Installed, 'dataDir' | 'backupDir' | 'smtpUrl'>
  hurryMails?: () => void
  hurryJobs?: () => void
  checkAnswers?: boolean
  /** Given by a caller who closes it; else the app has its own. */
  live?: LiveChanges
  /** Whether X-Request-Id, X-Forwarded-Host and X-Forwarded-Proto are believed. */
  isProxyTrusted?: boolean
  /** Given by a caller who closes it; else one that writes to the logger. */
  securityLog?: SecurityLog
  metrics?: MetricsAccess | null
  /** Called around each commit, where the tests of faults stop the process. */
  onPhase?: NonNullable<MountSettings['onPhase']>
}

/** The API for `app.request(…)`; listening is start-server.ts's, files and jobs are serve.ts's. */
export function createApp(settings: AppSettings): Hono {
  const { logger } = settings
  const environments = servedBy(settings.environments)
  const hostOf = askedHost(settings.isProxyTrusted ?? false)
  const metrics = settings.metrics?.metrics ?? null
  const mountSettings: MountSettings = {
    environmentOf: (context) => environments.at(hostName(hostOf(context))),
    anyEnvironment: () => environments.any(),
    addressOf: settings.addressOf ?? (() => '127.0.0.1'),
    now: settings.now ?? (() => new Date()),
    publicUrl: settings.publicUrl ?? 'http://localhost:3000',
    lookUpSources: settings.lookUpSources ?? [],
    syncSourceOf: ({ id }) => sourceFor(settings.syncSource ?? null, id, environments.known.length),
    mailTransport: settings.mailTransport ?? null,
    installedOf: (context) => ({
      ...(settings.installed ?? { dataDir: './data', backupDir: null, smtpUrl: null }),
      isProxyTrusted: settings.isProxyTrusted ?? false,
      isShared: environments.known.length > 1,
      way: wayOf(context),
    }),
    hurryMails: settings.hurryMails ?? (() => undefined),
    hurryJobs: settings.hurryJobs ?? (() => undefined),
    checkAnswers: settings.checkAnswers ?? false,
    live: settings.live ?? openLiveChanges(logger),
    ...(settings.onPhase ? { onPhase: settings.onPhase } : {}),
    ...(metrics ? { onAnswered: countChange(metrics) } : {}),
  }

  const app = new Hono()
  // Event streams say no-transform and files that are packed have types of their own, so neither is packed again.
  app.use(compress())
  app.use(requestId(settings.isProxyTrusted ?? false))
  app.use(securityHeaders(askedOverHttps(settings.isProxyTrusted ?? false, mountSettings.publicUrl)))
  app.use(crossOrigin(mountSettings.publicUrl, hostOf))
  app.use(requestLog(logger, metrics))
  app.use(watchRefusals({ ...mountSettings, log: settings.securityLog ?? openSecurityLog(logger) }))
  for (const binding of bindings) mount(app, binding, mountSettings)
  mountEnvironmentImage(app, mountSettings.environmentOf)
  mountDocumentation(app)
  mountMetrics(app, settings.metrics ?? null)

  const unknownCall = async (context: Context) =>
    (await environments.knows(hostName(hostOf(context))))
      ? refusalResponse({ status: 404, message: 'Cet appel n’existe pas.' })
      : refusalResponse(hostUnknownRefusal)
  for (const prefix of ['/api/*', '/auth', '/resetting/*', '/dns', '/health']) {
    app.all(prefix, unknownCall)
  }
  app.notFound(unknownCall)
  app.onError(async (error, context) => {
    if (error instanceof EnvironmentShutError) {
      const response = refusalResponse({ status: 503, message: error.message })
      response.headers.set('Retry-After', '5')
      return response
    }
    if (hungUp(error)) return refusalResponse({ status: 400, message: 'La requête a été interrompue.' })
    const err = loggedError(error, await sentValues(context))
    logger.error({ err, ...loggedRequest(context) }, 'unexpected error')
    const response = {
      message: 'Une erreur inattendue s’est produite. Réessayez dans un instant.',
      request_id: context.get('requestId'),
    }
    const unreachable = isDatabaseUnreachable(error)
    const isFull = saysDiskFull(error) || (unreachable && (await isAnyDiskFull(environments.open)))
    if (isFull) {
      const message = `Le disque du serveur est plein\u202f: rien n’a été enregistré. Prévenez la personne qui s’en occupe.`
      return Response.json(
        { ...response, code: 507, message },
        { status: 507, headers: { 'Retry-After': '30' } },
      )
    }
    return Response.json(
      { code: unreachable ? 503 : 500, ...response },
      { status: unreachable ? 503 : 500, headers: unreachable ? { 'Retry-After': '2' } : {} },
    )
  })
  return app
}

/** The caller left, so nobody reads the answer and nothing went wrong. */
const hungUp = (error: Error) =>
  error instanceof CallerLeft ||
  (error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET')

/** An embedded engine that finds no room dies and cannot say why. */
const isAnyDiskFull = async (environments: readonly Environment[]): Promise<boolean> => {
  const embedded = environments.filter(({ engine }) => engine !== null)
  return (await Promise.all(embedded.map(({ files }) => isDiskFull(files)))).includes(true)
}

type MetricsAccess = { metrics: Metrics; token: string }

/** Serves GET /metrics to the token's holder; without a token, the address does not exist. */
function mountMetrics(app: Hono, access: MetricsAccess | null): void {
  app.all('/metrics', async (context) => {
    if (!access || context.req.method !== 'GET') {
      return refusalResponse({ status: 404, message: 'Cet appel n’existe pas.' })
    }
    const given = /^Bearer (.{1,500})$/.exec(context.req.header('authorization') ?? '')?.[1] ?? ''
    // Digests have one length, so the comparison takes one time whatever was sent.
    if (!timingSafeEqual(digest(given), digest(access.token))) {
      return refusalResponse({ status: 401, message: 'Le jeton de lecture des mesures n’est pas le bon.' })
    }
    return context.body(await access.metrics.read(), 200, {
      'Content-Type': access.metrics.contentType,
      'Cache-Control': 'no-store',
    })
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const requestLog =
  (logger: Logger, metrics: Metrics | null): MiddlewareHandler =>
  async (context, next) => {
    const started = performance.now()
    await next()
    const ms = performance.now() - started
    const { status } = context.res
    metrics?.answered(context.get('endpoint') ?? null, status, ms / 1000)
    logger.info({ ...loggedRequest(context), status, ms: Math.round(ms) }, 'request')
  }

/** Leaves out the query and all but known words of the address, which hold names and tokens. */
function loggedRequest(context: Context): object {
  const { method, path } = context.req
  const endpoint = context.get('endpoint')
  return {
    request: context.get('requestId'),
    method,
    ...(endpoint ? { endpoint } : {}),
    path: path.slice(0, 200).replaceAll(/[^/]+/g, (part) => (isOurs(part) ? part : '…')),
  }
}

const isOurs = (part: string) => /^([a-z][a-z_-]{0,24}|\d{1,10})$/.test(part)
