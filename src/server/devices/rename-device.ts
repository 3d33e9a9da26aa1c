import type { Device, renameDevice as renameDeviceCall } from '../../contract/devices.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, forbidden, notFound, type Outcome } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { findDevice } from './device-queries.ts'

export async function renameDevice(
  trx: Trx,
  { params: { device_id }, body: { name } }: VerbInput<typeof renameDeviceCall>,
  exchange: Exchange,
): Promise<Outcome<Device>> {
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
