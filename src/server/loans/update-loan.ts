import type { Loan, updateLoan as updateLoanCall } from '../../contract/loans.ts'
import { daysBetween } from '../../domain/calendar-day.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, type Outcome, violation } from '../http/outcome.ts'
import { loanFact } from './tell-loan.ts'
import { dueByRulesOf, journalLoan, lockLoanInSight, setTerms } from './change-loan.ts'
import { countRenewal, renewedTooOften } from './renewals.ts'

const furthestStartDays = 366

/** Changes only a loan's start date, comment or duration (file 1, « Loan view/edit »). */
export async function updateLoan(
  trx: Trx,
  { params, body }: VerbInput<typeof updateLoanCall>,
  exchange: Exchange,
): Promise<Outcome<Loan>> {
  const locked = await lockLoanInSight(trx, params.id, exchange)
  if (!locked.ok) return locked
  const { loan } = locked.answer
  if (loan.status === 'cancelled')
    return conflict('LOAN_CANCELLED', 'Ce prêt a été annulé.', { loaning: loanFact(exchange.sight, loan) })
  const start_date = body.start_date ?? loan.start_date
  const duration_value = body.duration_value ?? loan.duration_value
  if (loan.return_date !== null && start_date > loan.return_date) {
    return violation('start_date', 'La date de début est après le retour.')
  }
  if (
    start_date !== loan.start_date &&
    Math.abs(daysBetween(exchange.today, start_date)) > furthestStartDays
  ) {
    return violation('start_date', 'La date de début est à plus d’un an d’aujourd’hui.')
  }
  if (start_date === loan.start_date && duration_value === loan.duration_value) {
    await trx
      .updateTable('loanings')
      .set({ comment: body.comment ?? loan.comment })
      .where('id', '=', loan.id)
      .execute()
  } else {
    const { duration_type } = loan
    const end_date = dueByRulesOf(locked.answer, start_date, { duration_value, duration_type })
    // Due later than it was, it is extended, whichever screen says so.
    const isExtended = loan.status === 'in_progress' && end_date > loan.end_date
    const terms = {
      start_date,
      duration_value,
      end_date,
      comment: body.comment,
      override_reason: body.override_reason,
      objections: isExtended ? await renewedTooOften(trx, locked.answer) : [],
      isTold: isExtended ? body.despite_reservations : true,
    }
    const set = await setTerms(trx, locked.answer, terms, exchange)
    if (!set.ok) return set
    if (isExtended) await countRenewal(trx, loan, end_date, exchange)
  }
  return done(await journalLoan(trx, exchange, 'loan.update', loan))
}
