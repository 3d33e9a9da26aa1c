import type { Context } from 'hono'

/** Whether the caller came over HTTPS, as a trusted proxy says or, where it is silent, PUBLIC_URL. */
export const askedOverHttps =
  (isProxyTrusted: boolean, publicUrl: string) =>
  (context: Context): boolean => {
    if (!isProxyTrusted) return false
    const forwarded = context.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase()
    return (forwarded || new URL(publicUrl).protocol.replace(':', '')) === 'https'
  }

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
