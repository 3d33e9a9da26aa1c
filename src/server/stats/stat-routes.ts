import * as call from '../../contract/stats.ts'
import { file, longRead } from '../http/binding.ts'
import { readActivity } from './read-activity.ts'
import { readLoanStats } from './read-loan-stats.ts'
import { readOutNow } from './read-out-now.ts'
import { readReaderStats } from './read-reader-stats.ts'
import { exportReferenceStats, readReferenceStats } from './reference-stats.ts'

export const statRoutes = [
  longRead(call.readActivity, readActivity),
  longRead(call.readReferenceStats, readReferenceStats),
  file(call.exportReferenceStats, exportReferenceStats),
  longRead(call.readReaderStats, readReaderStats),
  longRead(call.readLoanStats, readLoanStats),
  longRead(call.readOutNow, readOutNow),
]
