import { asPart } from '../db/part-of-transaction.ts'
import type { Trx } from '../db/handles.ts'
import type { Outcome } from '../http/outcome.ts'

/** What a verb does or refuses to one row, of which a refusal or a dry run leaves nothing. */
export const attempt = <T>(trx: Trx, isDry: boolean, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> =>
  asPart(trx, work, ({ ok }) => ok && !isDry)
