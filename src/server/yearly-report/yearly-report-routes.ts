import * as call from '../../contract/yearly-report.ts'
import { aMomentAgo, file, longRead } from '../http/binding.ts'
import { ofOneState } from '../stats/of-one-state.ts'
import { exportYearlyReport } from './export-yearly-report.ts'
import { listReportRows } from './list-report-rows.ts'
import { readYearlyReport } from './read-yearly-report.ts'

export const yearlyReportRoutes = [
  aMomentAgo(longRead(call.readYearlyReport, ofOneState(readYearlyReport))),
  aMomentAgo(longRead(call.listReportRows, listReportRows)),
  aMomentAgo(file(call.exportYearlyReport, exportYearlyReport)),
]
