import { createHash, timingSafeEqual } from 'node:crypto'

import type { Hono } from 'hono'

import { refusalResponse } from './mount.ts'
import type { Metrics } from '../metrics/metrics.ts'

export type MetricsAccess = { metrics: Metrics; token: string }

/** Serves GET /metrics to the token's holder; without a token, the address does not exist. */
export function mountMetrics(app: Hono, access: MetricsAccess | null): void {
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
