import { sql } from 'kysely'

import type { Db } from '../../src/server/db/handles.ts'
import { countedTables } from './former-version.ts'

/** Rows of the tables that the former version had no call for. */
export async function countRows(db: Db): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of countedTables) {
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from ${sql.table(table)}`.execute(
      db,
    )
    counts[table] = rows[0]?.n ?? 0
  }
  return counts
}
