import type { Context } from 'hono'

/** Whether the caller came over HTTPS, as a trusted proxy says or, where it is silent, PUBLIC_URL. */
export const askedOverHttps =
  (isProxyTrusted: boolean, publicUrl: string) =>
  (context: Context): boolean => {
    if (!isProxyTrusted) return false
    const forwarded = context.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase()
    return (forwarded || new URL(publicUrl).protocol.replace(':', '')) === 'https'
  }
