import { sql } from 'kysely'

import type { Trx } from './handles.ts'

/** Does a part of a transaction, of which nothing is left where it throws or its answer is not to be kept. */
export async function asPart<T>(
  trx: Trx,
  work: () => Promise<T>,
  isKept: (answer: T) => boolean = () => true,
): Promise<T> {
  await sql`savepoint part`.execute(trx)
  let answer: T
  try {
    answer = await work()
  } catch (error) {
    // Where even that fails, the first error says why.
    await undoPart(trx).catch(() => undefined)
    throw error
  }
  await (isKept(answer) ? endPart(trx) : undoPart(trx))
  return answer
}

const endPart = (trx: Trx) => sql`release savepoint part`.execute(trx)

/** Ended as well, because a part within another one has the same name. */
async function undoPart(trx: Trx): Promise<void> {
  await sql`rollback to savepoint part`.execute(trx)
  await endPart(trx)
}
