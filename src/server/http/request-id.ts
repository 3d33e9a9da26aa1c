import { randomBytes } from 'node:crypto'

import type { MiddlewareHandler } from 'hono'

declare module 'hono' {
  interface ContextVariableMap {
    /** Names a request in the log, in its answer and to the person who saw it fail. */
    requestId: string
    /** Name of the call in the contract; absent for pages and unknown addresses. */
    endpoint: string
  }
}

/**
 * Names every request, in few enough signs to be read out on the telephone. A caller's own name is taken only from a proxy that is
 * trusted: else anybody could write into the log, or make two requests look like one.
 */
export const requestId =
  (isProxyTrusted: boolean): MiddlewareHandler =>
  async (context, next) => {
    const given = isProxyTrusted ? context.req.header('x-request-id') : undefined
    const id = given !== undefined && /^[\w.-]{1,64}$/.test(given) ? given : randomBytes(4).toString('hex')
    context.set('requestId', id)
    await next()
    context.res.headers.set('X-Request-Id', id)
  }
