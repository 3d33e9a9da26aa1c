import type {
  cancelLoan as cancelLoanCall,
  deleteLoan as deleteLoanCall,
  Loan,
} from '../../contract/loans.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { takeServiceBack } from '../queue/change-queue.ts'
import { freeCopy, journalLoan, lockVisibleLoan } from './change-loan.ts'
import { happenedAt } from './happened-at.ts'
import { loanFact, type StoredLoan } from './serialize-loan.ts'

export async function cancelLoan(
  trx: Trx,
  { params, body }: VerbInput<typeof cancelLoanCall>,
  exchange: Exchange,
): Promise<Outcome<Loan>> {
  const happened = happenedAt(exchange, body.occurred_at)
  if (!happened.ok) return happened
  const locked = await lockVisibleLoan(trx, params.id, exchange)
  if (!locked.ok) return locked
  const { loan } = locked.answer
  if (loan.status !== 'in_progress') {
    return conflict('NOT_IN_PROGRESS', 'Seul un prêt en cours peut être annulé.', {
      loaning: loanFact(exchange.visibility, loan),
    })
  }
  await withdrawLoan(trx, loan)
  return done(await journalLoan(trx, exchange, 'loan.cancel', loan, body.device_id))
}

/** Undoes a loan: its copy is free, and whoever it was set aside for waits again. */
export async function withdrawLoan(trx: Trx, loan: StoredLoan): Promise<void> {
  await trx.updateTable('loanings').set({ status: 'cancelled' }).where('id', '=', loan.id).execute()
  await takeServiceBack(trx, loan)
  await freeCopy(trx, loan.copy)
}

/** Hides a loan; its history stays in the journal. */
export async function deleteLoan(
  trx: Trx,
  { params }: VerbInput<typeof deleteLoanCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const locked = await lockVisibleLoan(trx, params.id, exchange)
  if (!locked.ok) return locked
  const { loan } = locked.answer
  if (loan.status === 'in_progress') await withdrawLoan(trx, loan)
  await trx
    .updateTable('loanings')
    .set({ deleted_at: exchange.now.toISOString() })
    .where('id', '=', loan.id)
    .execute()
  await journal(trx, exchange, {
    action: 'loan.delete',
    entity: 'loanings',
    entity_id: loan.id,
    before: loan,
  })
  return done(null)
}
