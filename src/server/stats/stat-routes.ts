import * as call from '../../contract/stats.ts'
import { aMomentAgo, file, longRead } from '../http/binding.ts'
import { readActivity } from './read-activity.ts'
import { readLoanStats } from './read-loan-stats.ts'
import { readOutNow } from './read-out-now.ts'
import { readReaderStats } from './read-reader-stats.ts'
import { exportReferenceStats, readReferenceStats } from './reference-stats.ts'

export const statRoutes = [
  aMomentAgo(longRead(call.readActivity, readActivity)),
  aMomentAgo(longRead(call.readReferenceStats, readReferenceStats)),
  aMomentAgo(file(call.exportReferenceStats, exportReferenceStats)),
  aMomentAgo(longRead(call.readReaderStats, readReaderStats)),
  aMomentAgo(longRead(call.readLoanStats, readLoanStats)),
  aMomentAgo(longRead(call.readOutNow, readOutNow)),
]
