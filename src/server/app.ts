import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Logger } from 'pino'

import { beneficiaryRoutes } from './beneficiaries/beneficiary-routes.ts'
import { catalogueRoutes } from './catalogue/catalogue-routes.ts'
import type { Environment } from './db/environment.ts'
import type { Binding } from './http/binding.ts'
import { mountDocumentation } from './documentation/open-api-page.ts'
import { securityHeaders } from './http/security-headers.ts'
import { mount, type MountSettings, refusalResponse } from './http/mount.ts'
import { loanRoutes } from './loans/loan-routes.ts'
import { mailRoutes } from './mail/mail-routes.ts'
import { mountEnvironmentImage } from './session/environment-image.ts'
import { sessionRoutes } from './session/session-routes.ts'
import { settingRoutes } from './settings/setting-routes.ts'
import { snapshotRoutes } from './snapshot/snapshot-routes.ts'
import { healthRoutes } from './health-routes.ts'

/** Every call with its verb; tests/architecture holds this against the contract. */
export const bindings: readonly Binding[] = [
  ...healthRoutes,
  ...sessionRoutes,
  ...loanRoutes,
  ...beneficiaryRoutes,
  ...catalogueRoutes,
  ...settingRoutes,
  ...mailRoutes,
  ...snapshotRoutes,
]

const largestBody = 1024 * 1024

export type AppSettings = {
  environments: readonly Environment[]
  logger: Logger
  now?: () => Date
  /** Network address of a caller; proxies are believed only where the settings say so. */
  addressOf?: (context: Context) => string
  /** Address of the product in links of mails, without a slash at its end. */
  publicUrl?: string
  checkAnswers?: boolean
  /** Called around each commit: where the tests of faults stop the process. */
  onPhase?: NonNullable<MountSettings['onPhase']>
}

/** The API, ready to answer `app.request(…)`; listening, files and jobs are main.ts's. */
export function createApp(settings: AppSettings): Hono {
  const { environments, logger } = settings
  const byHost = new Map(
    environments.flatMap((environment) => environment.hosts.map((host) => [host.toLowerCase(), environment])),
  )
  const only = environments.length === 1 ? (environments[0] ?? null) : null
  const mountSettings: MountSettings = {
    environmentOf: (host) => byHost.get(host.replace(/:\d+$/, '').toLowerCase()) ?? only,
    addressOf: settings.addressOf ?? (() => '127.0.0.1'),
    now: settings.now ?? (() => new Date()),
    publicUrl: settings.publicUrl ?? 'http://localhost:3000',
    checkAnswers: settings.checkAnswers ?? false,
    ...(settings.onPhase ? { onPhase: settings.onPhase } : {}),
  }

  const app = new Hono()
  app.use(securityHeaders)
  app.use(async (context, next) => {
    const started = performance.now()
    await next()
    const ms = Math.round(performance.now() - started)
    logger.info({ ...loggedRequest(context), status: context.res.status, ms }, 'request')
  })
  app.use(
    bodyLimit({
      maxSize: largestBody,
      onError: () =>
        refusalResponse({ status: 413, message: 'La requête est trop volumineuse (1 Mo au plus).' }),
    }),
  )
  for (const binding of bindings) mount(app, binding, mountSettings)
  mountEnvironmentImage(app, mountSettings.environmentOf)
  mountDocumentation(app)

  for (const prefix of ['/api/*', '/auth', '/resetting/*', '/dns', '/health']) {
    app.all(prefix, () => refusalResponse({ status: 404, message: 'Cet appel n’existe pas.' }))
  }
  app.onError((error, context) => {
    logger.error({ err: error, ...loggedRequest(context) }, 'unexpected error')
    const response = { message: 'Une erreur inattendue s’est produite. Réessayez dans un instant.' }
    const unreachable = isDatabaseUnreachable(error)
    return Response.json(
      { code: unreachable ? 503 : 500, ...response },
      { status: unreachable ? 503 : 500, headers: unreachable ? { 'Retry-After': '2' } : {} },
    )
  })
  return app
}

/** What a log may hold of a request: searches hold names and links hold tokens, so the query and the link are left out. */
const loggedRequest = ({ req }: Context) => ({
  method: req.method,
  path: req.path.replace(/^(\/resetting\/reset\/).*/, '$1…'),
})

/** The database is starting again or its connection broke: the caller may try again with the same key. */
function isDatabaseUnreachable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57P01', '57P02', '57P03', '53300', '08006'].includes(
      code,
    ) || /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(String(error))
  )
}
