import { sql } from 'kysely'

import type { Environment } from '../db/environments/environment.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Answered } from '../http/run-change.ts'

/** Notes an action that went well only this often, because each costs a statement. */
const contactMs = 60_000
/** Invented ids must not fill the memory. */
const mostRemembered = 5000

const contacts = new WeakMap<Environment, Map<string, number>>()

/** Counts a replayed answer or a refusal after its transaction; the call stands even if that fails. */
export async function noteAnswer(exchange: Exchange, answered: Answered): Promise<void> {
  const { environment, caller, site, now } = exchange
  const { device_id } = caller
  if (device_id === null) return
  const isFinal = answered.retryAfter === undefined
  const replays = answered.replayed ? 1 : 0
  const isRefusal = (answered.status === 409 || answered.status === 422) && isFinal
  const refusals = isRefusal && !answered.replayed ? 1 : 0
  if (replays + refusals === 0 && wasJustNoted(environment, device_id, now.getTime())) return
  await sql`
    update devices set user_id = ${caller.user_id}, site = (select id from sites where id = ${site}),
      last_seen = greatest(last_seen, ${now.toISOString()}::timestamptz), replays = replays + ${replays},
      refusals = refusals + ${refusals}
    where device_id = ${device_id}`
    .execute(environment.db)
    .catch(() => undefined)
}

function wasJustNoted(environment: Environment, device_id: string, now: number): boolean {
  const known = contacts.get(environment) ?? new Map<string, number>()
  contacts.set(environment, known)
  const last = known.get(device_id)
  if (last !== undefined && now - last < contactMs && now >= last) return true
  if (known.size >= mostRemembered) known.clear()
  known.set(device_id, now)
  return false
}
