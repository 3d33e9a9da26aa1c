import { actEndpoints } from './acts.ts'
import { archiveEndpoints } from './archives.ts'
import { beneficiaryEndpoints, relativeEndpoints } from './beneficiary-changes.ts'
import { calendarEndpoints } from './calendar.ts'
import { catalogueEndpoints } from './catalogue.ts'
import { catalogueExports } from './catalogue-exports.ts'
import { codeListEndpoints } from './code-lists.ts'
import { copyEndpoints } from './copies.ts'
import { closingEndpoints } from './closings.ts'
import { closures } from './closures.ts'
import { conflictEndpoints } from './conflicts.ts'
import { deviceEndpoints } from './devices.ts'
import { eligibilityEndpoints } from './eligibility.ts'
import type { Endpoint } from './endpoint.ts'
import { undoExtension } from './extensions.ts'
import { getFoundImage, lookUpCode } from './external-codes.ts'
import { environmentImageEndpoints } from './environment-image.ts'
import { imageSourceEndpoints } from './image-sources.ts'
import { streamEvents } from './events.ts'
import { importEndpoints } from './imports.ts'
import { installationEndpoints } from './installation.ts'
import { inventoryEndpoints } from './inventories.ts'
import { jobs } from './jobs.ts'
import { readJournal } from './journal.ts'
import { letterEndpoints } from './letters.ts'
import { labelEndpoints } from './labels.ts'
import { listTypeEndpoints } from './list-types.ts'
import { listValueEndpoints } from './list-values.ts'
import { exportLoans } from './loan-exports.ts'
import { loanEndpoints } from './loans.ts'
import { mailEndpoints } from './mail.ts'
import { mailTransportEndpoints } from './mail-transport.ts'
import { mailTemplateEndpoints } from './mail-templates.ts'
import { mediumEndpoints } from './medium-changes.ts'
import { passwordEndpoints } from './passwords.ts'
import { personalDataEndpoints } from './personal-data.ts'
import { profileEndpoints } from './profiles.ts'
import { referenceFieldEndpoints } from './reference-fields.ts'
import { referenceImageEndpoints } from './reference-images.ts'
import { referenceEndpoints } from './references.ts'
import { reservationEndpoints } from './reservations.ts'
import { endpointsOf } from './resource.ts'
import { returnEndpoints } from './returns.ts'
import { exportSales } from './sale-exports.ts'
import { saleEndpoints } from './sales.ts'
import { secondFactorEndpoints } from './second-factor.ts'
import { sessionEndpoints } from './session.ts'
import { openSessionEndpoints } from './sessions.ts'
import { settingEndpoints } from './settings.ts'
import { settingsLists } from './settings-lists.ts'
import { siteEndpoints } from './site-changes.ts'
import { filterEndpoints } from './filters.ts'
import { findLostReceipts, getSnapshot } from './snapshot.ts'
import { layPreset } from './start-presets.ts'
import { startEndpoints } from './start.ts'
import { statsEndpoints } from './stats.ts'
import { yearlyReportEndpoints } from './yearly-report.ts'
import { getHealth } from './system.ts'
import { syncEndpoints } from './sync.ts'
import { userEndpoints } from './users.ts'
import { weedingEndpoints } from './weeding.ts'
import { viewEndpoints } from './views.ts'

/** tests/architecture checks that each is bound to a verb. */
export const endpoints: readonly Endpoint[] = [
  getHealth,
  ...sessionEndpoints,
  ...passwordEndpoints,
  ...openSessionEndpoints,
  ...secondFactorEndpoints,
  ...loanEndpoints,
  undoExtension,
  exportLoans,
  ...returnEndpoints,
  ...reservationEndpoints,
  ...calendarEndpoints,
  ...statsEndpoints,
  ...yearlyReportEndpoints,
  ...saleEndpoints,
  exportSales,
  ...conflictEndpoints,
  ...beneficiaryEndpoints,
  ...personalDataEndpoints,
  ...relativeEndpoints,
  ...eligibilityEndpoints,
  readJournal,
  ...actEndpoints,
  ...importEndpoints,
  ...syncEndpoints,
  ...inventoryEndpoints,
  ...weedingEndpoints,
  ...catalogueEndpoints,
  ...catalogueExports,
  ...codeListEndpoints,
  lookUpCode,
  getFoundImage,
  ...referenceEndpoints,
  ...referenceImageEndpoints,
  ...copyEndpoints,
  ...labelEndpoints,
  ...mediumEndpoints,
  ...imageSourceEndpoints,
  ...settingEndpoints,
  ...siteEndpoints,
  ...settingsLists.flatMap(endpointsOf),
  ...endpointsOf(closures),
  ...closingEndpoints,
  ...listTypeEndpoints,
  ...listValueEndpoints,
  ...referenceFieldEndpoints,
  ...environmentImageEndpoints,
  ...archiveEndpoints,
  ...filterEndpoints,
  ...viewEndpoints,
  jobs.list,
  ...mailEndpoints,
  ...mailTemplateEndpoints,
  ...mailTransportEndpoints,
  ...letterEndpoints,
  ...deviceEndpoints,
  ...installationEndpoints,
  ...userEndpoints,
  ...profileEndpoints,
  ...startEndpoints,
  layPreset,
  findLostReceipts,
  getSnapshot,
  streamEvents,
]
