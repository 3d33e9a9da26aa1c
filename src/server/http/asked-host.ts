import type { Context } from 'hono'

/** The host and port of a request, as a trusted proxy forwarded it last. */
export const askedHost =
  (isProxyTrusted: boolean) =>
  (context: Context): string => {
    const forwarded = isProxyTrusted
      ? context.req.header('x-forwarded-host')?.split(',').at(-1)?.trim()
      : undefined
    return forwarded || (context.req.header('host') ?? '')
  }

/** The name in it, without its port. */
export const hostName = (host: string): string => host.replace(/:\d+$/, '')
