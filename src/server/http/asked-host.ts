import type { Context } from 'hono'

/** The host that a request was made to, with its port; behind a proxy that is trusted, the last one it was forwarded for. */
export const askedHost =
  (isProxyTrusted: boolean) =>
  (context: Context): string => {
    const forwarded = isProxyTrusted
      ? context.req.header('x-forwarded-host')?.split(',').at(-1)?.trim()
      : undefined
    return forwarded || (context.req.header('host') ?? '')
  }
