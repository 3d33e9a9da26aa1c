import type { extendLoan as extendLoanCall, Loan } from '../../contract/loans.ts'
import { extendedDueOn } from '../../domain/loan-rules.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, type Outcome, violation } from '../http/outcome.ts'
import { loanFact } from './tell-loan.ts'
import { journalLoan, lockLoanInSight, setTerms } from './change-loan.ts'
import { countRenewal, renewedTooOften } from './renewals.ts'

const longestDuration = 1000

/** Extends by `duration_value` of the loan's own units. */
export async function extendLoan(
  trx: Trx,
  { params, body }: VerbInput<typeof extendLoanCall>,
  exchange: Exchange,
): Promise<Outcome<Loan>> {
  const locked = await lockLoanInSight(trx, params.id, exchange)
  if (!locked.ok) return locked
  const { loan } = locked.answer
  if (loan.status !== 'in_progress') {
    return conflict('NOT_IN_PROGRESS', 'Seul un prêt en cours peut être prolongé.', {
      loaning: loanFact(exchange.sight, loan),
    })
  }
  const duration_value = loan.duration_value + body.duration_value
  if (duration_value > longestDuration) {
    return violation('duration_value', `La durée totale ne doit pas dépasser ${longestDuration}.`)
  }
  const { cycle, medium, calendar } = locked.answer
  const terms = {
    start_date: loan.start_date,
    duration_value,
    end_date: extendedDueOn(loan, body.duration_value, cycle, medium.end_day, calendar),
    override_reason: body.override_reason,
    objections: await renewedTooOften(trx, locked.answer),
    isTold: body.despite_reservations,
  }
  const set = await setTerms(trx, locked.answer, terms, exchange)
  if (!set.ok) return set
  await countRenewal(trx, loan, terms.end_date, exchange)
  return done(await journalLoan(trx, exchange, 'loan.extend', loan))
}
