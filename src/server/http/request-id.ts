import { randomBytes } from 'node:crypto'

import type { MiddlewareHandler } from 'hono'

declare module 'hono' {
  interface ContextVariableMap {
    /** Names a request in the log, in its answer and to the person who saw it fail. */
    requestId: string
    /** The call's name in the contract; absent for pages and unknown addresses. */
    endpoint: string
  }
}

/** Names a request in signs few enough to be read out; only a trusted proxy may choose the name. */
export const requestId =
  (isProxyTrusted: boolean): MiddlewareHandler =>
  async (context, next) => {
    const given = isProxyTrusted ? context.req.header('x-request-id') : undefined
    const id = given !== undefined && /^[\w.-]{1,64}$/.test(given) ? given : randomBytes(4).toString('hex')
    context.set('requestId', id)
    await next()
    context.res.headers.set('X-Request-Id', id)
  }
