import type { Context, MiddlewareHandler } from 'hono'

import type { Refusal } from '../http/outcome.ts'
import type { SecurityEvent, SecurityLog } from './security-log.ts'

declare module 'hono' {
  interface ContextVariableMap {
    account: string | null
    device: string | null
    refusal: Refusal
  }
}

type RefusalWatch = { log: SecurityLog; addressOf(context: Context): string; now(): Date }

export const watchRefusals =
  ({ log, addressOf, now }: RefusalWatch): MiddlewareHandler =>
  async (context, next) => {
    await next()
    const refusal = context.get('refusal')
    const event = eventOf(context.res.status, refusal)
    if (event === null) return
    const told = {
      event,
      account: context.get('account') ?? null,
      address: addressOf(context),
      device: context.get('device') ?? null,
      call: context.get('endpoint') ?? null,
      reason: refusal?.reason ?? null,
      request: context.get('requestId'),
    }
    log.note(told, now())
  }

function eventOf(status: number, refusal: Refusal | undefined): SecurityEvent['event'] | null {
  if (refusal?.isFailedSignIn) return 'security.sign_in_failed'
  if (status === 403) return 'security.forbidden'
  return status === 429 ? 'security.throttled' : null
}
