import { sql } from 'kysely'

import type { Environment } from '../db/environment.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Answered } from '../http/run-change.ts'

/** An action that went well is worth a statement of its own only this often. */
const contactMs = 60_000
/** Devices remembered at most, so that invented ids do not fill the memory. */
const mostRemembered = 5000

const contacts = new WeakMap<Environment, Map<string, number>>()

/**
 * Counts what became of a device's action, after its transaction: an answer given again, or a refusal that a person settles. The
 * call has been answered for in the database; that it could not be counted changes nothing of it.
 */
export async function noteAnswer(input: unknown, exchange: Exchange, answered: Answered): Promise<void> {
  const device_id = deviceOf(input)
  if (device_id === null) return
  const isFinal = answered.retryAfter === undefined
  const replays = answered.replayed ? 1 : 0
  const isRefusal = (answered.status === 409 || answered.status === 422) && isFinal
  const refusals = isRefusal && !answered.replayed ? 1 : 0
  const { environment, caller, site, now } = exchange
  if (replays + refusals === 0 && wasJustNoted(environment, device_id, now.getTime())) return
  const at = now.toISOString()
  await sql`
    insert into devices (device_id, user_id, site, first_seen, last_seen, replays, refusals)
    values (${device_id}, ${caller.user_id}, (select id from sites where id = ${site}), ${at}, ${at}, ${replays}, ${refusals})
    on conflict (device_id) do update set user_id = excluded.user_id, site = excluded.site,
      last_seen = greatest(devices.last_seen, excluded.last_seen), replays = devices.replays + excluded.replays,
      refusals = devices.refusals + excluded.refusals`
    .execute(environment.db)
    .catch(() => undefined)
}

/** Which device a call says it comes from: drained actions do. */
function deviceOf(input: unknown): string | null {
  const { body } = input as { body?: { device_id?: unknown } }
  return typeof body?.device_id === 'string' ? body.device_id : null
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
