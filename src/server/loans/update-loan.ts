import type {
  extendLoan as extendLoanCall,
  Loan,
  updateLoan as updateLoanCall,
} from '../../contract/loans.ts'
import { daysBetween } from '../../domain/calendar-day.ts'
import { extendedDueOn, renewalRefusal } from '../../domain/loan-rules.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, type Outcome, violation } from '../http/outcome.ts'
import { dueByRulesOf, journalLoan, type LoanUnderChange, lockVisibleLoan, setTerms } from './change-loan.ts'
import { loanFact, type StoredLoan } from './serialize-loan.ts'
import type { Objection } from './why-beyond.ts'

const longestDuration = 1000

/** Extends by `duration_value` of the loan's own units. */
export async function extendLoan(
  trx: Trx,
  { params, body }: VerbInput<typeof extendLoanCall>,
  exchange: Exchange,
): Promise<Outcome<Loan>> {
  const locked = await lockVisibleLoan(trx, params.id, exchange)
  if (!locked.ok) return locked
  const { loan } = locked.answer
  if (loan.status !== 'in_progress') {
    return conflict('NOT_IN_PROGRESS', 'Seul un prêt en cours peut être prolongé.', {
      loaning: loanFact(exchange.visibility, loan),
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

/** What its medium has against extending a loan once more. */
async function renewedTooOften(trx: Trx, { loan, max_renewals }: LoanUnderChange): Promise<Objection[]> {
  if (max_renewals === null) return []
  const { renewals } = await trx
    .selectFrom('loan_renewals')
    .select(({ fn }) => fn.countAll<number>().as('renewals'))
    .where('loaning', '=', loan.id)
    .executeTakeFirstOrThrow()
  const message = renewalRefusal(renewals, { name: loan.medium ?? '', max_renewals })
  return message === null ? [] : [{ propertyPath: 'duration_value', message }]
}

/** Counts that a loan is due later than it was. */
async function countRenewal(
  trx: Trx,
  loan: StoredLoan,
  to_date: string,
  { today, now, caller, device_id }: Exchange,
): Promise<void> {
  await trx
    .insertInto('loan_renewals')
    .values({
      loaning: loan.id,
      renewed_on: today,
      from_date: loan.end_date,
      to_date,
      user_id: caller.user_id,
      device_id,
      received_at: now.toISOString(),
    })
    .execute()
}

const furthestStartDays = 366

/** Changes only a loan's start date, comment or duration. */
export async function updateLoan(
  trx: Trx,
  { params, body }: VerbInput<typeof updateLoanCall>,
  exchange: Exchange,
): Promise<Outcome<Loan>> {
  const locked = await lockVisibleLoan(trx, params.id, exchange)
  if (!locked.ok) return locked
  const { loan } = locked.answer
  if (loan.status === 'cancelled')
    return conflict('LOAN_CANCELLED', 'Ce prêt a été annulé.', {
      loaning: loanFact(exchange.visibility, loan),
    })
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
