import { sql } from 'kysely'

import type { Db } from '../../src/server/db/handles.ts'

/** Empties tables and what refers to them, again where an earlier test's page still asks. */
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
