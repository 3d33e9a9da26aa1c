import type { forgetDevice as forgetDeviceCall } from '../../contract/devices.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { revokeSessions } from '../session/open-session.ts'
import { findDevice } from './device-queries.ts'

/** Ends a lost, sold or emptied device's sessions and forgets it until somebody signs in on it. */
export async function forgetDevice(
  trx: Trx,
  { params: { device_id } }: VerbInput<typeof forgetDeviceCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const before = await findDevice(trx, device_id, exchange.now)
  if (!before) return notFound('Cet appareil n’est pas connu.')
  if (device_id === exchange.caller.device_id) {
    return conflict('OWN_DEVICE', 'C’est l’appareil dont vous vous servez\u202f: déconnectez-vous plutôt.')
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
