import { sql } from 'kysely'

import type { reportDevice as reportDeviceCall } from '../../contract/devices.ts'
import type { Db } from '../db/environment.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'

/** Keeps what a device says of itself over what it said before; what the server counts of it stays. */
export async function reportDevice(
  db: Db,
  { params: { device_id }, body }: VerbInput<typeof reportDeviceCall>,
  { caller, site, now }: Exchange,
): Promise<Outcome<null>> {
  const at = now.toISOString()
  const before = (seconds: number | null) =>
    seconds === null ? null : new Date(now.getTime() - seconds * 1000).toISOString()
  await sql`
    insert into devices (device_id, user_id, site, first_seen, last_seen, reported_at, app_version, browser, waiting, conflicts,
      quarantined, oldest_at, snapshot_at, storage_used)
    values (${device_id}, ${caller.user_id}, (select id from sites where id = ${site}), ${at}, ${at}, ${at}, ${body.app_version},
      ${body.browser}, ${body.waiting}, ${body.conflicts}, ${body.quarantined}, ${before(body.oldest_age)},
      ${before(body.snapshot_age)}, ${body.storage_used})
    on conflict (device_id) do update set user_id = excluded.user_id, site = excluded.site,
      last_seen = greatest(devices.last_seen, excluded.last_seen), reported_at = excluded.reported_at,
      app_version = excluded.app_version, browser = excluded.browser, waiting = excluded.waiting, conflicts = excluded.conflicts,
      quarantined = excluded.quarantined, oldest_at = excluded.oldest_at, snapshot_at = excluded.snapshot_at,
      storage_used = excluded.storage_used`.execute(db)
  return done(null)
}
