import { sql } from 'kysely'

import { type Facts, someOf, type Undoable } from '../acts/undoable.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { journalLoan } from './change-loan.ts'
import { findLoan } from './loan-rows.ts'
import type { StoredLoan } from './serialize-loan.ts'
import { undoReturn } from './undo-loan.ts'

/** Gives an open loan back the return that it had before a closure moved it. */
async function moveBack(
  trx: Trx,
  loan: StoredLoan,
  { end_date, end_date_flagged }: Facts,
  exchange: Exchange,
): Promise<null> {
  const kept = { end_date: String(end_date), end_date_flagged: end_date_flagged === true }
  await trx.updateTable('loanings').set(kept).where('id', '=', loan.id).execute()
  await journalLoan(trx, exchange, 'loan.move_back', loan)
  return null
}

const cannot = (): Promise<string> => Promise.resolve('Un prêt changé ne se rétablit pas ainsi.')

/** Loans that an import brought, which as long as they are open as they came can be taken away again; returns; moved dates. */
export const undoLoans: Undoable = {
  nameOf: ({ reference_name, beneficiary_name }) =>
    [reference_name, beneficiary_name].filter((name) => typeof name === 'string').join(' · '),

  lock: async (trx, ids) => {
    // Copies first, as lending and returning lock them.
    await sql`
      select from copies where id in (select copy from loanings where id = any(${ids}::int[])) order by id for update`.execute(
      trx,
    )
    await sql`select from loanings where id = any(${ids}::int[]) order by id for update`.execute(trx)
  },

  read: async (trx, ids, { visibility, today }) => {
    const { rows } = await sql<{ id: number }>`
      select id from loanings where id = any(${ids}::int[]) and deleted_at is null order by id`.execute(trx)
    const found = new Map<number, Facts>()
    for (const { id } of rows) {
      // What an act has just returned may be taken back, whatever of the history the person sees.
      const loan = await findLoan(trx, id, today)
      if (loan && isSiteOpen(visibility, loan.site)) found.set(id, loan)
    }
    return found
  },

  own: (facts) =>
    someOf(facts, ['status', 'start_date', 'end_date', 'return_date', 'comment', 'delay_comment', 'amount']),

  takeAway: async (trx, ids, { now }) => {
    await sql`
      with gone as (
        update loanings set deleted_at = ${now.toISOString()}, status = 'cancelled' where id = any(${ids}::int[]) returning copy)
      update copies set status = 'Disponible' from gone where copies.id = gone.copy and copies.status = 'En Location'`.execute(
      trx,
    )
    return new Map()
  },

  giveBack: async (trx, { id, before, now }, exchange) => {
    const loan = await findLoan(trx, id, exchange.today)
    if (!loan || before['status'] !== 'in_progress') return cannot()
    if (now['status'] === 'in_progress') return moveBack(trx, loan, before, exchange)
    if (now['status'] !== 'finished') return cannot()
    const outcome = await undoReturn(trx, loan, exchange)
    return outcome.ok ? null : outcome.refusal.message
  },
  bringBack: cannot,
}
