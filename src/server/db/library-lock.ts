import { type RawBuilder, sql } from 'kysely'

import type { Trx } from './handles.ts'

/** What is held for a whole library, or for one of its codes, numbers or titles. `queue` stands in a trigger of migrations/0078-several-machines.ts as well. */
export type LibraryLock =
  'devices' | 'matricules' | 'reader number' | 'reference code' | 'bar code' | 'queue' | 'sync' | 'mass mail'

/**
 * In a statement that locks more: held until its transaction ends. The locks are the database's, so each library takes its own,
 * by its number. That is read from its row, which makes a distributed engine lock on the machine of the rows. Two locks that have
 * the same hash by chance only wait for each other.
 */
export const libraryLocked = (what: LibraryLock, key: RawBuilder<unknown> = sql`''`) =>
  sql`pg_advisory_xact_lock(hashtextextended(concat_ws(' ', (select id from environment), ${sql.lit(what)}, ${key}), 0))`

/** Nobody else of this library holds it until the transaction ends. */
export async function lockInLibrary(trx: Trx, what: LibraryLock, key?: string | number): Promise<void> {
  await sql`select ${libraryLocked(what, key === undefined ? undefined : sql`${String(key)}::text`)}`.execute(
    trx,
  )
}

/** The same of each key, in one statement and in one order. */
export async function lockEachInLibrary(trx: Trx, what: LibraryLock, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const sorted = [...new Set(keys)].toSorted()
  await sql`
    select ${libraryLocked(what, sql`held.key`)}
    from (select key from unnest(${sorted}::text[]) with ordinality as wanted (key, at) order by at) held`.execute(
    trx,
  )
}
