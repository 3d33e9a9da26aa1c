import type { Db, Trx } from './handles.ts'

/** All that is read is of one instant of the database, whatever is written meanwhile. */
export const readOneInstant = <T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
