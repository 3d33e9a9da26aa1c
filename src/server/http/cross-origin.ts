import type { Context, MiddlewareHandler } from 'hono'

const sentHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Last-Event-ID',
  'X-Act',
  'X-Device',
  'X-Occurred-At',
  'X-On-Behalf-Of',
  'X-Seal',
  'X-Site',
]
const readHeaders = [
  'Content-Disposition',
  'Date',
  'Idempotency-Replayed',
  'Retry-After',
  'X-Request-Id',
  'X-State-At',
]
const keptSeconds = 7200

/** Lets PUBLIC_URL's pages call an API at another host (VITE_API_BASE); any other origin is refused. */
export function crossOrigin(publicUrl: string, hostOf: (context: Context) => string): MiddlewareHandler {
  const { origin, host } = new URL(publicUrl)
  return async (context, next) => {
    const isElsewhere = hostOf(context).toLowerCase() !== host
    const isAllowed = isElsewhere && context.req.header('origin') === origin
    if (isAllowed && context.req.method === 'OPTIONS') {
      context.res = new Response(null, {
        status: 204,
        headers: {
          'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
          'Access-Control-Allow-Headers': sentHeaders.join(', '),
          'Access-Control-Max-Age': String(keptSeconds),
        },
      })
    } else await next()
    if (!isElsewhere) return
    const { headers } = context.res
    headers.append('Vary', 'Origin')
    // A page's images come without an origin, so they need this header.
    if (headers.get('Content-Type')?.startsWith('image/')) {
      headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
    }
    if (!isAllowed) return
    headers.set('Access-Control-Allow-Origin', origin)
    headers.set('Access-Control-Expose-Headers', readHeaders.join(', '))
  }
}
