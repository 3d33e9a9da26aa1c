import { sql } from 'kysely'

import type { reportDevice as reportDeviceCall } from '../../contract/devices.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, refuse } from '../http/outcome.ts'

/** Replaces what a device says of itself, not what the server counts; only its own sessions may. */
export async function reportDevice(
  db: Db,
  { params: { device_id }, body }: VerbInput<typeof reportDeviceCall>,
  { caller, site, now }: Exchange,
): Promise<Outcome<null>> {
  if (device_id !== caller.device_id) {
    return refuse({
      status: 403,
      reason: 'NOT_ITS_SESSION',
      message: 'Cette session n’a pas été ouverte sur cet appareil.',
    })
  }
  const before = (seconds: number | null) =>
    seconds === null ? null : new Date(now.getTime() - seconds * 1000).toISOString()
  const { oldest_age, snapshot_age, ...held } = body
  const at = now.toISOString()
  await db
    .updateTable('devices')
    .set({
      user_id: caller.user_id,
      site: (eb) => eb.selectFrom('sites').select('id').where('id', '=', site),
      last_seen: sql`greatest(last_seen, ${at}::timestamptz)`,
      reported_at: at,
      ...held,
      oldest_at: before(oldest_age),
      snapshot_at: before(snapshot_age),
    })
    .where('device_id', '=', device_id)
    .execute()
  return done(null)
}
