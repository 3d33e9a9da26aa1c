import type { Db, Trx } from '../db/handles.ts'
import type { PublicExchange } from '../http/exchange.ts'
import { done, type Outcome, type Refused } from '../http/outcome.ts'
import { openSession } from './open-session.ts'
import { noteFactor, showFactor } from './show-second-factor.ts'

/** Opens a session for whom `admit` lets in, once their second factor is shown where they have one. */
export async function openProven(
  db: Db,
  exchange: PublicExchange,
  { user_id, second_factor }: { user_id: number; second_factor: string | undefined },
  admit: (trx: Trx) => Promise<Outcome<{ id: number }>>,
): Promise<Outcome<{ token: string }>> {
  const noted = await noteFactor(db, exchange, user_id, second_factor)
  if (!noted.ok) return noted
  const opened = db.transaction().execute(async (trx): Promise<Outcome<{ token: string }>> => {
    const admitted = await admit(trx)
    if (!admitted.ok) return admitted
    const shown = await showFactor(trx, exchange, user_id, second_factor, noted.answer)
    if (!shown.ok) throw new UnprovenError(shown)
    return done({ token: await openSession(trx, exchange, admitted.answer) })
  })
  return opened.catch((error: unknown) => {
    if (error instanceof UnprovenError) return error.refused
    throw error
  })
}

/** Undoes the transaction, so that a link is not used up without the code that it asks for. */
class UnprovenError extends Error {
  constructor(readonly refused: Refused) {
    super('the second factor was not shown')
  }
}
