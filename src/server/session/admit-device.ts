import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { lockInLibrary } from '../db/library-lock.ts'
import type { PublicExchange } from '../http/exchange.ts'
import { hashSecret, provenDevice } from '../http/claimed-device.ts'

const most = 500
/** A library that opens with twenty tablets signs in on each of them in one day. */
const mostOfPersonADay = 30

/** A sign-in's device, or null; makes room by forgetting the longest silent with no action or session. */
export async function admitDevice(
  trx: Trx,
  { claimed_device: claimed, now }: PublicExchange,
  user_id: number,
): Promise<string | null> {
  if (claimed === null) return null
  const { device_id } = claimed
  const secret_hash = hashSecret(claimed.secret)
  const at = now.toISOString()
  // A device from before secrets takes the first one claimed by somebody who may sign in.
  const taken = await trx
    .updateTable('devices')
    .set({ secret_hash, user_id, last_seen: at })
    .where('device_id', '=', device_id)
    .where('secret_hash', 'is', null)
    .returning('device_id')
    .executeTakeFirst()
  if (taken) return device_id
  const isKnown = await trx
    .selectFrom('devices')
    .select('device_id')
    .where('device_id', '=', device_id)
    .executeTakeFirst()
  if (isKnown) return provenDevice(trx, claimed)
  if (!(await makeRoom(trx, user_id, now))) return null
  const { rows } = await sql<{ device_id: string }>`
    insert into devices (device_id, name, user_id, added_by, secret_hash, first_seen, last_seen)
    values (${device_id}, 'Appareil ' || 1 + coalesce((
        select max(substring(name from '^Appareil (\\d{1,6})$')::integer) from devices), 0),
      ${user_id}, ${user_id}, ${secret_hash}, ${at}, ${at})
    on conflict (device_id) do nothing returning device_id`.execute(trx)
  return rows[0]?.device_id ?? null
}

async function makeRoom(trx: Trx, user_id: number, now: Date): Promise<boolean> {
  // Sign-ins on new devices follow one another, so that each counts the others.
  await lockInLibrary(trx, 'devices')
  const yesterday = new Date(now.getTime() - 24 * 3600_000).toISOString()
  const { rows } = await sql<{ known: number; added: number }>`
    select count(*)::integer as known, (count(*) filter (
      where added_by = ${user_id} and first_seen > ${yesterday}::timestamptz))::integer as added from devices`.execute(
    trx,
  )
  const { known = 0, added = 0 } = rows[0] ?? {}
  if (added >= mostOfPersonADay) return false
  if (known < most) return true
  const forgotten = await sql`
    delete from devices where device_id = (
      select device_id from devices d
      where waiting + conflicts + quarantined = 0
        and not exists (select from sessions s where s.device_id = d.device_id and s.revoked_at is null)
      order by last_seen limit 1)
    returning device_id`.execute(trx)
  return forgotten.rows.length > 0
}
