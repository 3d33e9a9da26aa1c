import { sql } from 'kysely'

import type { Trx } from './handles.ts'

/** New rows as JSON, which a distributed engine tells in no RETURNING; in the order of their ids. */
export async function rowsAsJson<Row extends { id: number }>(
  trx: Trx,
  table: string,
  added: readonly { id: number }[],
): Promise<Row[]> {
  const { rows } = await sql<{ row: Row }>`
    select to_jsonb(t) as row from ${sql.table(table)} t where id = any(${added.map(({ id }) => id)}::int[]) order by id`.execute(
    trx,
  )
  return rows.map(({ row }) => row)
}
