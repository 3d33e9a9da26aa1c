import * as call from '../../contract/yearly-report.ts'
import { file, longRead } from '../http/binding.ts'
import { exportYearlyReport } from './export-yearly-report.ts'
import { listReportRows } from './list-report-rows.ts'
import { readYearlyReport } from './read-yearly-report.ts'

export const yearlyReportRoutes = [
  longRead(call.readYearlyReport, readYearlyReport),
  longRead(call.listReportRows, listReportRows),
  file(call.exportYearlyReport, exportYearlyReport),
]
