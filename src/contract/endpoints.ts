import { beneficiaryEndpoints } from './beneficiaries.ts'
import { catalogueEndpoints } from './catalogue.ts'
import { categories } from './categories.ts'
import { conflictEndpoints } from './conflicts.ts'
import { deviceEndpoints } from './devices.ts'
import type { Endpoint } from './endpoint.ts'
import { environmentImageEndpoints } from './environment-image.ts'
import { streamEvents } from './events.ts'
import { jobs } from './jobs.ts'
import { keywords } from './keywords.ts'
import { loanEndpoints } from './loans.ts'
import { locations } from './locations.ts'
import { mailEndpoints } from './mail.ts'
import { reasons } from './reasons.ts'
import { endpointsOf } from './resource.ts'
import { returnEndpoints } from './returns.ts'
import { sessionEndpoints } from './session.ts'
import { openSessionEndpoints } from './sessions.ts'
import { settingEndpoints } from './settings.ts'
import { filterEndpoints } from './filters.ts'
import { getSnapshot } from './snapshot.ts'
import { getHealth } from './system.ts'
import { viewEndpoints } from './views.ts'

/** tests/architecture checks that each is bound to a verb. */
export const endpoints: readonly Endpoint[] = [
  getHealth,
  ...sessionEndpoints,
  ...openSessionEndpoints,
  ...loanEndpoints,
  ...returnEndpoints,
  ...conflictEndpoints,
  ...beneficiaryEndpoints,
  ...catalogueEndpoints,
  ...settingEndpoints,
  ...[categories, keywords, locations, reasons].flatMap(endpointsOf),
  ...environmentImageEndpoints,
  ...filterEndpoints,
  ...viewEndpoints,
  jobs.list,
  ...mailEndpoints,
  ...deviceEndpoints,
  getSnapshot,
  streamEvents,
]
