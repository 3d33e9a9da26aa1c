import { sql } from 'kysely'

import type { Db } from '../../src/server/db/handles.ts'

/** Empties tables and what refers to them, ids beginning anew; as often as it takes where a page of the test before is still asking. */
export async function emptyTables(db: Db, ...tables: string[]): Promise<void> {
  const named = sql.join(tables.map((table) => sql.table(table)))
  for (;;) {
    try {
      await sql`truncate ${named} restart identity cascade`.execute(db)
      return
    } catch (error) {
      const isDeadlock = error instanceof Error && 'code' in error && error.code === '40P01'
      if (!isDeadlock) throw error
    }
  }
}
