import { sql } from 'kysely'

import type { Trx } from './handles.ts'
import type { Database } from './schema.ts'

/**
 * Inserts rows that all have the same columns, and answers their ids in their order. One parameter carries them, so that the statement
 * is the same for any number of them; an object is what a column of JSON holds.
 */
export async function insertRows(
  trx: Trx,
  table: keyof Database,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<number[]> {
  const [first] = rows
  if (!first) return []
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  const { rows: made } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
    returning id`.execute(trx)
  return made.map(({ id }) => id)
}
