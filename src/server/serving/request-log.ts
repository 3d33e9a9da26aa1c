import type { Context, MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'

import type { Metrics } from '../metrics/metrics.ts'

/** A line and a measure for every request. */
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

/**
 * What a log may hold of a request. Searches hold names and links hold tokens: the query is left out, and of the address only words of
 * ours and numbers stay.
 */
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
