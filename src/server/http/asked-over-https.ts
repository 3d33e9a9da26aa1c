import type { Context } from 'hono'

/**
 * Whether the caller came over HTTPS. This server speaks HTTP only: it takes the word of a proxy that is trusted, or PUBLIC_URL where
 * that proxy says nothing.
 */
export const askedOverHttps =
  (isProxyTrusted: boolean, publicUrl: string) =>
  (context: Context): boolean => {
    if (!isProxyTrusted) return false
    const forwarded = context.req.header('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase()
    return (forwarded || new URL(publicUrl).protocol.replace(':', '')) === 'https'
  }
