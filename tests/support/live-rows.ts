import { sql } from 'kysely'

import type { Db } from '../../src/server/db/handles.ts'

/** What tells who did what and when, and how far work has come. */
/** And sums of other rows, which lie in parts until they are folded. */
const memories = [
  'acts',
  'acts_kept',
  'audit_journal',
  'idempotency_keys',
  'jobs',
  'kysely_migration',
  'lending_tallies',
  'loan_tallies',
  'public_tallies',
  'return_tallies',
  'row_changes',
  'kysely_migration_lock',
  'sessions',
  'session_seals',
  'start_progress',
]
const stamps = ['changed_xid', 'date_update']

/** Every row of every table that is there for people, in one order: what an undone act must leave as it was. */
export async function liveRows(db: Db): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await sql<{ name: string; is_hidden: boolean }>`
    select t.table_name as name, exists (
      select from information_schema.columns c
      where c.table_schema = t.table_schema and c.table_name = t.table_name and c.column_name = 'deleted_at') as is_hidden
    from information_schema.tables t
    where t.table_schema = current_schema() and t.table_type = 'BASE TABLE' order by 1`.execute(db)
  const dump: Record<string, unknown[]> = {}
  for (const { name, is_hidden } of tables) {
    if (memories.includes(name)) continue
    const there = is_hidden ? sql`where t.deleted_at is null` : linksOf(name)
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(t) - ${stamps}::text[] as row from ${sql.table(name)} t ${there}
      order by (to_jsonb(t) - ${stamps}::text[])::text`.execute(db)
    dump[name] = rows.map(({ row }) => row)
  }
  return dump
}

/** What a hidden reference or copy still holds is hidden with it. */
const linksOf = (table: string) => {
  if (table === 'label_basket')
    return sql`where exists (select from copies c where c.id = t.copy and c.deleted_at is null)`
  return ['reference_keywords', 'reference_list_values', 'found_images'].includes(table)
    ? sql`where exists (select from "references" r where r.id = t.reference and r.deleted_at is null)`
    : sql``
}
