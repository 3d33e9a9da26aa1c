import { sql } from 'kysely'

import type { Db, Trx } from './handles.ts'
import type { Database } from './schema.ts'

/**
 * The planner would take tables for what they were, and the embedded engine never looks by itself. Each is a statement of its own,
 * so that outside a transaction others go between.
 */
export async function analyzeEach(db: Db | Trx, tables: readonly (keyof Database)[]): Promise<void> {
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db)
}
