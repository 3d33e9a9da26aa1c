import * as call from '../../contract/devices.ts'
import { change, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { listDevices } from './device-queries.ts'
import { forgetDevice } from './forget-device.ts'
import { renameDevice } from './rename-device.ts'
import { reportDevice } from './report-device.ts'

export const deviceRoutes = [
  read(call.listDevices, async (db, { list }, { now }) => done(await listDevices(db, list, now))),
  // One statement, the same however often it comes: its key is not kept, or reports would fill the table of keys.
  read(call.reportDevice, reportDevice),
  change(call.renameDevice, renameDevice),
  change(call.forgetDevice, forgetDevice),
]
