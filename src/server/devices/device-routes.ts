import { sql } from 'kysely'

import * as call from '../../contract/devices.ts'
import type { Trx, Db } from '../db/handles.ts'
import { change, changeUnkept, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, forbidden, notFound, type Outcome, refuse, conflict } from '../http/outcome.ts'
import { isAlive } from '../session/find-caller.ts'
import { revokeSessions } from '../session/open-session.ts'
import { visibleUsers } from '../visibility/visibility.ts'
import { listDevices, findDevice } from './device-queries.ts'

/** Ends a lost, sold or emptied device's sessions and forgets it until somebody signs in on it. */
async function forgetDevice(
  trx: Trx,
  { params: { device_id } }: VerbInput<typeof call.forgetDevice>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const before = await findDevice(trx, device_id, exchange)
  if (!before) return notFound('Cet appareil n’est pas connu.')
  if (device_id === exchange.caller.device_id) {
    return conflict('OWN_DEVICE', 'C’est l’appareil dont vous vous servez\u202f: déconnectez-vous plutôt.')
  }
  if (await hasOthersOn(trx, device_id, exchange)) {
    return forbidden(
      'Une personne qui travaille aussi à d’autres sites y est connectée\u202f: quelqu’un qui a tous les sites peut oublier cet appareil.',
    )
  }
  await revokeSessions(trx, { device_id }, exchange.now)
  await trx.deleteFrom('devices').where('device_id', '=', device_id).execute()
  await journal(trx, exchange, {
    action: 'device.forget',
    entity: 'devices',
    entity_id: null,
    device_id,
    before,
  })
  return done(null)
}

/** Whether somebody whom the caller may not sign out is signed in on it. */
async function hasOthersOn(trx: Trx, device_id: string, { visibility, now }: Exchange): Promise<boolean> {
  const { rows } = await sql<{ created_at: string; last_used_at: string }>`
    select s.created_at, s.last_used_at from sessions s join users u on u.id = s.user_id
    where s.device_id = ${device_id} and s.revoked_at is null and not (${visibleUsers(visibility)})`.execute(
    trx,
  )
  return rows.some((session) => isAlive(session, now))
}

/** Replaces what a device says of itself, not what the server counts; only its own sessions may. */
async function reportDevice(
  db: Db,
  { params: { device_id }, body }: VerbInput<typeof call.reportDevice>,
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

async function renameDevice(
  trx: Trx,
  { params: { device_id }, body: { name } }: VerbInput<typeof call.renameDevice>,
  exchange: Exchange,
): Promise<Outcome<call.Device>> {
  if (device_id !== exchange.caller.device_id && !exchange.caller.rights.has('PARAMETER_GENERAL')) {
    return forbidden('Vous n’avez pas le droit de nommer un autre appareil que le vôtre.')
  }
  const before = await findDevice(trx, device_id, exchange)
  if (!before) return notFound('Cet appareil n’est pas connu.')
  if (before.name === name) return done(before)
  await trx.updateTable('devices').set({ name }).where('device_id', '=', device_id).execute()
  await journal(trx, exchange, {
    action: 'device.rename',
    entity: 'devices',
    entity_id: null,
    device_id,
    before: { name: before.name },
    after: { name },
  })
  return done({ ...before, name })
}

export const deviceRoutes = [
  read(call.listDevices, async (db, { list }, exchange) => done(await listDevices(db, list, exchange))),
  // A report is the same however often it comes, so its key is not kept: reports would fill that table.
  changeUnkept(call.reportDevice, reportDevice),
  change(call.renameDevice, renameDevice),
  change(call.forgetDevice, forgetDevice),
]
