import { listLabelled as listLabelledCall } from '../../contract/label-list.ts'
import * as call from '../../contract/labels.ts'
import { change, file, keepingFile, longRead, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { markPrinted, wantLabels } from './label-basket.ts'
import { listLabelled } from './label-queries.ts'
import { sheetRoutes } from './label-sheets.ts'
import { countLabels, printCalibration, printLabels } from './print-labels.ts'

export const labelRoutes = [
  read(listLabelledCall, async (db, { list }, { sight, parameters }) =>
    done(await listLabelled(db, list, { sight, timezone: parameters.get('timezone') })),
  ),
  longRead(call.countLabels, countLabels),
  keepingFile(call.printLabels, printLabels),
  file(call.printCalibration, printCalibration),
  change(call.markPrinted, markPrinted),
  change(call.wantLabels, wantLabels),
  ...sheetRoutes,
]
