import type { Context, MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'

import type { Metrics } from '../metrics/metrics.ts'

export const requestLog =
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
export function loggedRequest(context: Context): object {
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
