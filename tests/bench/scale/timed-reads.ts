import { Kysely } from 'kysely'

import type { Environment } from '../../../src/server/db/environments/environment.ts'
import type { Db } from '../../../src/server/db/handles.ts'
import { BatchDialect } from '../../../src/server/db/connections/statement-batch.ts'
import { boundStatements } from '../../../src/server/db/lists/planned-cost.ts'
import { openPool } from '../../../src/server/db/connections/pool.ts'
import { patientName } from '../../../src/server/db/engine/postgres-wire-server.ts'

/** Long reads of the embedded engine, of which the longest statement is kept, in ms, until it is asked for. */
type TimedReads = { reads: Db; takeLongest(): number; close(): Promise<void> }

/** Reads as the environment's own do; throws on PostgreSQL. */
export function timedReads({ engine }: Environment): TimedReads {
  if (!engine) throw new Error('only the embedded engine runs statements one at a time')
  const { pool } = openPool({ ...engine.connection, max: 3, application_name: patientName })
  let longest = 0
  const reads: Db = new Kysely({
    dialect: new BatchDialect(pool),
    log: ({ queryDurationMillis }) => {
      longest = Math.max(longest, queryDurationMillis)
    },
  })
  boundStatements(reads)
  return {
    reads,
    takeLongest: () => {
      const taken = longest
      longest = 0
      return taken
    },
    close: () => pool.end(),
  }
}
