import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'

import { apiOrigin } from '../../contract/api-address.ts'

/** `wasm-unsafe-eval` is for the bar-code decoder, the nonce for the component library's styles. */
export function contentSecurityPolicy(nonce: string): string {
  const self = ["'self'", apiOrigin()].filter(Boolean).join(' ')
  return [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    nonce ? `style-src 'self' 'nonce-${nonce}'` : "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    `img-src ${self} data: blob:`,
    "media-src 'self' blob: mediastream:",
    "worker-src 'self'",
    `connect-src ${self}`,
    "font-src 'self'",
    // A PDF that the page itself has made a file of, such as labels before they are printed.
    'frame-src blob:',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const yearSeconds = 31_536_000

/** The headers of every answer; HSTS leaves the subdomains out, because they may belong to others. */
export const securityHeaders = (isOverHttps: (context: Context) => boolean) =>
  createMiddleware(async (context, next) => {
    await next()
    const { headers } = context.res
    if (isOverHttps(context)) headers.set('Strict-Transport-Security', `max-age=${yearSeconds}`)
    if (!headers.has('Content-Security-Policy')) {
      headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
    }
    headers.set('X-Content-Type-Options', 'nosniff')
    headers.set('X-Frame-Options', 'DENY')
    headers.set('Referrer-Policy', 'no-referrer')
    headers.set('Cross-Origin-Opener-Policy', 'same-origin')
    if (!headers.has('Cross-Origin-Resource-Policy'))
      headers.set('Cross-Origin-Resource-Policy', 'same-origin')
    headers.set('Permissions-Policy', 'camera=(self), microphone=(), geolocation=()')
  })
