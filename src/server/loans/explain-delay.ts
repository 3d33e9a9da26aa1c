import type { explainDelay as explainDelayCall, Loan } from '../../contract/loans.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { journalLoan, lockLoanInSight } from './change-loan.ts'

export async function explainDelay(
  trx: Trx,
  { params, body }: VerbInput<typeof explainDelayCall>,
  exchange: Exchange,
): Promise<Outcome<Loan>> {
  const locked = await lockLoanInSight(trx, params.id, exchange)
  if (!locked.ok) return locked
  const { loan } = locked.answer
  if (body.delay_reason) {
    const found = await trx
      .selectFrom('reasons')
      .select('id')
      .where('id', '=', body.delay_reason)
      .where('type', '=', 'delay')
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!found) return violation('delay_reason', 'Ce motif de retard n’existe pas.')
  }
  await trx
    .updateTable('loanings')
    .set({
      delay_reason: body.delay_reason === undefined ? (loan.delay_reason?.id ?? null) : body.delay_reason,
      delay_comment: body.delay_comment ?? loan.delay_comment,
    })
    .where('id', '=', loan.id)
    .execute()
  return done(await journalLoan(trx, exchange, 'loan.delay', loan))
}
