import * as call from '../../contract/stats.ts'
import { aMomentAgo, file, longRead } from '../http/binding.ts'
import { listReaderRows } from './list-reader-rows.ts'
import { ofOneState } from './of-one-state.ts'
import { readActivity } from './read-activity.ts'
import { readLoanStats } from './read-loan-stats.ts'
import { readOutNow } from './read-out-now.ts'
import { readReaderStats } from './read-reader-stats.ts'
import { exportReferenceStats, readReferenceStats } from './reference-stats.ts'

export const statRoutes = [
  aMomentAgo(longRead(call.readActivity, ofOneState(readActivity))),
  aMomentAgo(longRead(call.readReferenceStats, ofOneState(readReferenceStats))),
  aMomentAgo(file(call.exportReferenceStats, exportReferenceStats)),
  aMomentAgo(longRead(call.readReaderStats, ofOneState(readReaderStats))),
  aMomentAgo(longRead(call.listReaderRows, listReaderRows)),
  aMomentAgo(longRead(call.readLoanStats, ofOneState(readLoanStats))),
  aMomentAgo(longRead(call.readOutNow, readOutNow)),
]
