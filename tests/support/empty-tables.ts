import { sql } from 'kysely'

import type { Db } from '../../src/server/db/handles.ts'

/** Empties tables and what refers to them. */
export async function emptyTables(db: Db, ...tables: string[]): Promise<void> {
  await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))} restart identity cascade`.execute(
    db,
  )
}
