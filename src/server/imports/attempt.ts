import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import type { Outcome } from '../http/outcome.ts'

/** What a verb does or refuses to one row, of which a refusal or a dry run leaves nothing. */
export async function attempt<T>(
  trx: Trx,
  isDry: boolean,
  work: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  await sql`savepoint one_row`.execute(trx)
  const outcome = await work()
  await (outcome.ok && !isDry
    ? sql`release savepoint one_row`.execute(trx)
    : sql`rollback to savepoint one_row`.execute(trx))
  return outcome
}
