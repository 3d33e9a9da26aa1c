import type { Kysely, Transaction } from 'kysely'

import type { Database } from './schema.ts'

/** A way to one environment's database, and the same within a transaction. */
export type Db = Kysely<Database>
export type Trx = Transaction<Database>
