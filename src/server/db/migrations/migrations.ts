import type { Migration } from 'kysely'

import * as circulation from './0001-circulation.ts'
import * as settlements from './0002-settlements.ts'
import * as devices from './0003-devices.ts'
import * as journalTransactions from './0004-journal-transactions.ts'
import * as loanTallies from './0005-loan-tallies.ts'
import * as deviceNames from './0006-device-names.ts'

/** Forward only, applied in the order of their names; one that has shipped is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-circulation': circulation,
  '0002-settlements': settlements,
  '0003-devices': devices,
  '0004-journal-transactions': journalTransactions,
  '0005-loan-tallies': loanTallies,
  '0006-device-names': deviceNames,
}
