import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { lockInLibrary } from '../db/library-lock.ts'
import { hashSecret, provenDevice } from '../http/claimed-device.ts'
import type { PublicExchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { hashToken, isAlive } from './find-caller.ts'
import { hasSecondFactor } from './show-second-factor.ts'
import { accountOf, homeOfDevice, noteHome } from './sign-in-attempts.ts'

const most = 500
/** A library that opens with twenty tablets signs in on each of them in one day. */
const mostOfPersonADay = 30

/** A sign-in's device, or null; makes room by forgetting the longest silent with no action or session. */
async function admitDevice(
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
  const { rows: named } = await sql<{ name: string }>`
    select 'Appareil ' || 1 + coalesce(max(substring(name from '^Appareil (\\d{1,6})$')::integer), 0) as name
    from devices`.execute(trx)
  const added = await trx
    .insertInto('devices')
    .values({
      device_id,
      name: named[0]?.name ?? 'Appareil',
      user_id,
      added_by: user_id,
      secret_hash,
      first_seen: at,
      last_seen: at,
    })
    .onConflict((conflict) => conflict.column('device_id').doNothing())
    .returning('device_id')
    .executeTakeFirst()
  return added?.device_id ?? null
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

export const newToken = (): string => randomBytes(32).toString('base64url')

/** Opens a session on the device that proves itself; only its holder keeps the token. */
export async function openSession(trx: Trx, exchange: PublicExchange, user: { id: number }): Promise<string> {
  const token = newToken()
  const at = exchange.now.toISOString()
  const device_id = await admitDevice(trx, exchange, user.id)
  if (device_id !== null) {
    await noteHome(trx, accountOf(user.id), homeOfDevice(device_id), exchange.now)
  }
  // Visitors of a demonstration can have none, and one of them may have asked it of all.
  const second_factor_due = !exchange.environment.demonstration && (await isFactorDue(trx, user.id))
  await trx
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: user.id,
      created_at: at,
      last_used_at: at,
      device_id,
      revoked_at: null,
      second_factor_due,
    })
    .execute()
  const caller = { user_id: user.id }
  const entry = { action: 'session.open', entity: 'users', entity_id: user.id }
  await journal(trx, { ...exchange, caller }, { ...entry, ...(device_id === null ? {} : { device_id }) })
  return token
}

/** Asked at sign-in, so that what is under way in open sessions goes on when a profile becomes stricter. */
async function isFactorDue(trx: Trx, user_id: number): Promise<boolean> {
  const asked = await trx
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.profile')
    .select('users.id')
    .where('users.id', '=', user_id)
    .where('profiles.second_factor', '=', true)
    .executeTakeFirst()
  return asked !== undefined && !(await hasSecondFactor(trx, user_id))
}

type Ended = { user_id?: number; device_id?: string; session_id?: number; except?: Buffer }

/** Ends sessions from elsewhere and answers how many; what they sealed and still waits, its owner decides. */
export async function revokeSessions(trx: Trx, ended: Ended, now: Date): Promise<number> {
  const at = now.toISOString()
  let sessions = trx.updateTable('sessions').set({ revoked_at: at }).where('revoked_at', 'is', null)
  if (ended.user_id !== undefined) sessions = sessions.where('user_id', '=', ended.user_id)
  if (ended.device_id !== undefined) sessions = sessions.where('device_id', '=', ended.device_id)
  if (ended.session_id !== undefined) sessions = sessions.where('id', '=', ended.session_id)
  if (ended.except) sessions = sessions.where('token_hash', '!=', ended.except)
  const revoked = await sessions.returning(['token_hash', 'created_at', 'last_used_at']).execute()
  const hashes = revoked.map(({ token_hash }) => token_hash)
  let seals = trx.updateTable('session_seals').set({ revoked_at: at }).where('revoked_at', 'is', null)
  if (ended.user_id === undefined) seals = seals.where('session', '=', (eb) => eb.fn.any(eb.val(hashes)))
  // What a person sealed in sessions that ended by themselves is no longer believed either.
  else seals = seals.where('user_id', '=', ended.user_id)
  if (ended.except) seals = seals.where('session', '!=', ended.except)
  await seals.execute()
  return revoked.filter((session) => isAlive(session, now)).length
}
