import type { Context } from 'hono'

import type { Way } from '../../domain/installation-checks.ts'

/** How the process that answers was set up, and by what way a request came to it. */
export type Installed = {
  dataDir: string
  backupDir: string | null
  smtpUrl: string | null
  isProxyTrusted: boolean
  /** Whether it serves several libraries: then none is told where the machine keeps them. */
  isShared: boolean
  way: Way
}

export const wayOf = ({ req }: Context): Way => ({
  host: req.header('host') ?? '',
  forwardedHost: lastOf(req.header('x-forwarded-host')),
  forwardedProto: lastOf(req.header('x-forwarded-proto')),
  forwardedFor: req.header('x-forwarded-for') !== undefined,
})

/** What the last proxy added. */
const lastOf = (header: string | undefined): string | null => header?.split(',').at(-1)?.trim() ?? null
