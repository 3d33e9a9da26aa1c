import { sql } from 'kysely'

import type { Db } from '../db/handles.ts'
import { isBounded } from '../db/planned-cost.ts'

/** What a statement of figures may keep in memory while it groups, before it writes to disk; three are read at once. */
const room = '64MB'

/**
 * The statements of one call tell of the same state. The embedded engine, which holds a scan back as long as a transaction
 * lasts, runs each by itself.
 */
export const ofOneState =
  <Input, Asked, Told>(read: (db: Db, input: Input, exchange: Asked) => Promise<Told>) =>
  (db: Db, input: Input, exchange: Asked): Promise<Told> =>
    isBounded(db)
      ? read(db, input, exchange)
      : db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(async (trx) => {
            await sql`set local work_mem = ${sql.lit(room)}`.execute(trx)
            return read(trx, input, exchange)
          })
