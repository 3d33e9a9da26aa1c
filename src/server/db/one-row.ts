import type { RawBuilder } from 'kysely'

import type { Db } from './handles.ts'

/** The answer of a statement that always gives one row, as sums and counts without a group do. */
export async function oneRow<T>(db: Db, statement: RawBuilder<unknown>): Promise<T> {
  const { rows } = await statement.$castTo<T>().execute(db)
  const [row] = rows
  if (!row) throw new Error('this statement always gives one row')
  return row
}
