import * as call from '../../contract/devices.ts'
import { change, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { listDevices } from './device-queries.ts'
import { forgetDevice } from './forget-device.ts'
import { renameDevice } from './rename-device.ts'
import { reportDevice } from './report-device.ts'

export const deviceRoutes = [
  read(call.listDevices, async (db, { list }, exchange) => done(await listDevices(db, list, exchange))),
  // A report is the same however often it comes, so its key is not kept: reports would fill that table.
  read(call.reportDevice, reportDevice),
  change(call.renameDevice, renameDevice),
  change(call.forgetDevice, forgetDevice),
]
