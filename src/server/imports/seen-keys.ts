import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import type { How } from './outcome-of-row.ts'

/** What a dry run has met under a key, and what earlier lines would have left there. */
export type Seen = { key: string; leaves: unknown; code?: string | null; title?: string | null }

/** What a dry run has met on earlier lines, by key. A real run finds it written, and has met nothing. */
export async function seenBefore(
  trx: Trx,
  { id, isDry }: How,
  keys: readonly string[],
): Promise<Map<string, unknown>> {
  if (!isDry || keys.length === 0) return new Map()
  const { rows } = await sql<Seen>`
    select key, leaves from import_seen where import = ${id} and key = any(${[...new Set(keys)]}::text[])`.execute(
    trx,
  )
  return new Map(rows.map(({ key, leaves }) => [key, leaves]))
}

/** Keeps what a dry run has met, with what its lines would leave there by now. */
export async function remember(trx: Trx, { id, isDry }: How, seen: readonly Seen[]): Promise<void> {
  if (!isDry || seen.length === 0) return
  await sql`
    insert into import_seen (import, key, leaves, code, title)
    select ${id}::int, key, leaves, code, title
    from json_to_recordset(${JSON.stringify(seen)}::json) as seen (key text, leaves jsonb, code bigint, title bigint)
    on conflict (import, key) do update
      set leaves = excluded.leaves, code = excluded.code, title = excluded.title`.execute(trx)
}

/** Numbers of these in a dry run, the same for the same key, and how many of them no earlier line had. */
export async function numberEach(
  trx: Trx,
  { id }: How,
  keys: readonly string[],
): Promise<{ numbers: Map<string, number>; added: number }> {
  const { rows } = await sql<{ key: string; number: number; is_new: boolean }>`
    with met as (
      insert into import_seen (import, key) select ${id}::int, unnest(${[...new Set(keys)]}::text[])
      on conflict do nothing returning key, number)
    select key, number, true as is_new from met
    union all
    select key, number, false from import_seen
    where import = ${id} and key = any(${keys}::text[])`.execute(trx)
  return {
    numbers: new Map(rows.map(({ key, number }) => [key, number])),
    added: rows.filter(({ is_new }) => is_new).length,
  }
}
