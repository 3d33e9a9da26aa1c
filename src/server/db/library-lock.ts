import { type RawBuilder, sql } from 'kysely'

import type { Trx } from './handles.ts'

/** What is held for a whole library, or for one of its codes, numbers or titles. `queue` stands in a trigger of migrations/0078-several-machines.ts as well. */
export type LibraryLock =
  'devices' | 'matricules' | 'reader number' | 'reference code' | 'bar code' | 'queue' | 'sync' | 'mass mail'

/**
 * In a statement that locks more: held until its transaction ends. Libraries share their database's locks, so that each
 * takes its own, by its number, which is read from its row so that a distributed engine locks on the machine where its rows
 * lie; two that have the same number by chance wait for each other, and no more.
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
