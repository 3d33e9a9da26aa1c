import { type RawBuilder, sql } from 'kysely'

import type { Trx } from '../db/handles.ts'

const rowsPerStatement = 2000

/** Inserts rows by thousands, with ids from 1 on; `values` and `from` compute from the rows, named `r`. */
export async function bulkInsert<Column extends string>(
  trx: Trx,
  table: string,
  columns: Record<Column | 'id', string>,
  rows: readonly Record<Column | 'id', unknown>[],
  options: {
    into?: readonly string[]
    values?: RawBuilder<unknown>
    from?: RawBuilder<unknown>
    onProgress?: (count: number) => void
  } = {},
): Promise<void> {
  const names = Object.keys(columns)
  const types = sql.raw(
    Object.entries<string>(columns)
      .map(([name, type]) => `"${name}" ${type}`)
      .join(', '),
  )
  const into = sql.join((options.into ?? names).map((name) => sql.ref(name)))
  const values = options.values ?? sql.join(names.map((name) => sql.ref(`r.${name}`)))
  for (let at = 0; at < rows.length; at += rowsPerStatement) {
    const batch = rows.slice(at, at + rowsPerStatement)
    await sql`insert into ${sql.table(table)} (${into}) overriding system value
      select ${values} from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as r (${types})
      ${options.from ?? sql``} order by r.id`.execute(trx)
    options.onProgress?.(batch.length)
  }
  await sql`select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), ${rows.length})`.execute(trx)
}
