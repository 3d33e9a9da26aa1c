import { type extendLoan as extendLoanCall, type Loan, readerOf } from '../../contract/loans.ts'
import { plusDays } from '../../domain/calendar-day.ts'
import { extendedDueOn } from '../../domain/loan-rules.ts'
import { reservationsBefore } from '../../domain/reservation-rules.ts'
import { copyReserved } from '../../domain/sentences/counter.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, type Outcome, type Refused, violation } from '../http/outcome.ts'
import { reservationsOfCopy } from './circulating-copy.ts'
import { loanFact, reservationFacts, type StoredLoan } from './tell-loan.ts'
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
  }
  const reserved = body.despite_reservations ? null : await whoWaits(trx, loan, terms.end_date, exchange)
  if (reserved) return reserved
  const set = await setTerms(trx, locked.answer, terms, exchange)
  if (!set.ok) return set
  await countRenewal(trx, loan, terms.end_date, exchange)
  return done(await journalLoan(trx, exchange, 'loan.extend', loan))
}

/** Whoever waits for the copy, or has reserved days that the loan would now take. */
async function whoWaits(
  trx: Trx,
  loan: StoredLoan,
  end_date: string,
  { sight }: Exchange,
): Promise<Refused | null> {
  if (end_date <= loan.end_date) return null
  const waiting = reservationsBefore(await reservationsOfCopy(trx, loan.copy), {
    reader: readerOf(loan),
    copy: loan.copy,
    start_date: plusDays(loan.end_date, 1),
    end_date,
  })
  return waiting.length === 0
    ? null
    : conflict('RESERVED', copyReserved, { reservations: reservationFacts(sight, waiting) })
}
