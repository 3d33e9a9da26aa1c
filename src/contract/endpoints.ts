import { beneficiaryEndpoints } from './beneficiaries.ts'
import { catalogueEndpoints } from './catalogue.ts'
import { conflictEndpoints } from './conflicts.ts'
import { deviceEndpoints } from './devices.ts'
import type { Endpoint } from './endpoint.ts'
import { streamEvents } from './events.ts'
import { loanEndpoints } from './loans.ts'
import { mailEndpoints } from './mail.ts'
import { sessionEndpoints } from './session.ts'
import { settingEndpoints } from './settings.ts'
import { getSnapshot } from './snapshot.ts'
import { getHealth } from './system.ts'

/** Every call of the product; tests/architecture holds that each is bound to a verb. */
export const endpoints: readonly Endpoint[] = [
  getHealth,
  ...sessionEndpoints,
  ...loanEndpoints,
  ...conflictEndpoints,
  ...beneficiaryEndpoints,
  ...catalogueEndpoints,
  ...settingEndpoints,
  ...mailEndpoints,
  ...deviceEndpoints,
  getSnapshot,
  streamEvents,
]
