import { sql } from 'kysely'

import type { forgetDevice as forgetDeviceCall } from '../../contract/devices.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, forbidden, notFound, type Outcome } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { revokeSessions } from '../session/open-session.ts'
import { isAlive } from '../session/find-caller.ts'
import { visibleUsers } from '../visibility/visibility.ts'
import { findDevice } from './device-queries.ts'

/** Ends a lost, sold or emptied device's sessions and forgets it until somebody signs in on it. */
export async function forgetDevice(
  trx: Trx,
  { params: { device_id } }: VerbInput<typeof forgetDeviceCall>,
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
