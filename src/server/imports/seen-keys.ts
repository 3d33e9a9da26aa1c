import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import type { How } from './outcome-of-row.ts'

/** Which of these a dry run has met on an earlier line; all of them are met from now on. A real run finds them written. */
export async function meet(
  trx: Trx,
  { id, isDry }: How,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!isDry || keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    with met as (
      insert into import_seen (import, key) select ${id}::int, key from unnest(${[...new Set(keys)]}::text[]) as keys (key)
      on conflict do nothing returning key)
    select keys.key from unnest(${[...new Set(keys)]}::text[]) as keys (key)
    where not exists (select from met where met.key = keys.key)`.execute(trx)
  return new Set(rows.map(({ key }) => key))
}

/** The same, of lines that may still be refused: what is met is said by `remember`. */
export async function metBefore(trx: Trx, { id, isDry }: How, keys: readonly string[]): Promise<Set<string>> {
  if (!isDry || keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select key from import_seen where import = ${id} and key = any(${[...new Set(keys)]}::text[])`.execute(
    trx,
  )
  return new Set(rows.map(({ key }) => key))
}

export const remember = (trx: Trx, how: How, keys: readonly string[]): Promise<unknown> =>
  meet(trx, how, keys)
