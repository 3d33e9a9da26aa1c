import { sql } from 'kysely'

import { type Loan, readerOf } from '../../contract/loans.ts'
import { calendarDayOf, daysBetween, frenchDay, plusDays } from '../../domain/calendar-day.ts'
import {
  type BoundedLoan,
  boundsOf,
  dueOn,
  type Duration,
  loanAmount,
  longestLoanDays,
  termsBeyondBounds,
} from '../../domain/loan-rules.ts'
import { calendarOf } from '../../domain/open-days.ts'
import { reservationsBefore } from '../../domain/reservation-rules.ts'
import { copyReserved } from '../../domain/sentences/counter.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, notFound, type Outcome, type Refused, violation } from '../http/outcome.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { demandOnCopy } from './circulating-copy.ts'
import { findLoan, getLoan } from './loan-rows.ts'
import { isLoanVisible, reservationFacts, type StoredLoan, serializeLoan } from './serialize-loan.ts'
import { boundsPassed, type Objection, objectionsOf, unlessOverridden } from './why-beyond.ts'

/** Refuses a later return while somebody waits for the copy, or has reserved days that the loan would now take. */
async function refusedForWhoWaits(
  trx: Trx,
  loan: StoredLoan,
  { end_date, isTold }: { end_date: string; isTold: boolean | undefined },
  { visibility }: Exchange,
): Promise<Refused | null> {
  if (isTold || end_date <= loan.end_date) return null
  const demand = await demandOnCopy(trx, loan.copy)
  const more = { start_date: plusDays(loan.end_date, 1), end_date }
  const sought = { reader: readerOf(loan), copy: loan.copy, ...more }
  const waiting = reservationsBefore(demand.waiting, sought, demand.capacity)
  return waiting.length === 0
    ? null
    : conflict('RESERVED', copyReserved, { reservations: reservationFacts(visibility, waiting) })
}

export const noSuchLoan = notFound('Ce prêt n’existe pas.')

/** The rows of its copy and then its own are locked until the transaction ends. */
export type LoanUnderChange = { loan: StoredLoan; price: string; max_renewals: number | null } & Omit<
  BoundedLoan,
  'day'
>

/** Locks the copy first, as lending and returning do, or two would wait for each other; reads after both. */
async function lockLoan(
  trx: Trx,
  id: number,
  { today, openings }: Exchange,
): Promise<Outcome<LoanUnderChange>> {
  const { rows } = await sql<
    BoundedLoan['cycle'] & BoundedLoan['medium'] & { price: string; max_renewals: number | null }
  >`
    select coalesce(c.price, r.price) as price, c.cycle_type, c.cycle_value, m.duration, m.duration_type, m.end_day, m.max_renewals
    from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference left join media m on m.id = r.medium
    where l.id = ${id} and l.deleted_at is null
    for update of c`.execute(trx)
  await trx.selectFrom('loanings').select('id').where('id', '=', id).forUpdate().execute()
  const loan = await findLoan(trx, id, today)
  if (!rows[0] || !loan) return noSuchLoan
  const { price, cycle_type, cycle_value, max_renewals, ...medium } = rows[0]
  const calendar = calendarOf(openings, loan.site)
  return {
    ok: true,
    answer: { loan, price, max_renewals, cycle: { cycle_type, cycle_value }, medium, calendar },
  }
}

export async function lockVisibleLoan(
  trx: Trx,
  id: number,
  exchange: Exchange,
): Promise<Outcome<LoanUnderChange>> {
  const { visibility } = exchange
  const locked = await lockLoan(trx, id, exchange)
  return locked.ok && !isLoanVisible(visibility, locked.answer.loan) ? noSuchLoan : locked
}

/** The same for any loan of an open site, because what was just done may be taken back. */
export async function lockLoanOfOpenSite(
  trx: Trx,
  id: number,
  exchange: Exchange,
): Promise<Outcome<LoanUnderChange>> {
  const { visibility } = exchange
  const locked = await lockLoan(trx, id, exchange)
  return locked.ok && !isSiteOpen(visibility, locked.answer.loan.site) ? noSuchLoan : locked
}

/** Gives a loan other terms; its amount follows where it was the rules' own. */
export async function setTerms(
  trx: Trx,
  { loan, price, ...rules }: LoanUnderChange,
  terms: {
    start_date: string
    duration_value: number
    end_date: string
    comment?: string | undefined
    override_reason?: string | undefined
    /** What else takes a motive. */
    objections?: readonly Objection[]
    /** Who moves the return knows who waits. */
    isTold: boolean | undefined
  },
  exchange: Exchange,
): Promise<Outcome<StoredLoan>> {
  const { start_date, duration_value, end_date, override_reason } = terms
  if (daysBetween(start_date, end_date) > longestLoanDays) {
    return violation('duration_value', `Le retour prévu, le ${frenchDay(end_date)}, n’est pas possible.`)
  }
  const bounds = boundsOf(exchange.parameters.number)
  const lent_on = calendarDayOf(new Date(loan.lent_at), exchange.parameters.get('timezone'))
  // An unchanged start was accepted when the loan was made.
  const day = start_date === loan.start_date ? start_date : lent_on
  const beyond = termsBeyondBounds({ start_date, end_date }, { day, lent_on, ...rules }, bounds)
  const objections = [...(terms.objections ?? []), ...objectionsOf(beyond, 'duration_value')]
  const refused = unlessOverridden(objections, terms, exchange, {
    reason: 'BEYOND_BOUNDS',
    facts: boundsPassed(beyond),
  })
  if (refused) return refused
  // Last, so that it is asked once.
  const reserved = await refusedForWhoWaits(trx, loan, terms, exchange)
  if (reserved) return reserved
  const reasons = [loan.override_reason, objections.length > 0 ? override_reason : null]
  const { duration_type } = loan
  const dueByRules = dueByRulesOf(rules, start_date, { duration_value, duration_type })
  const wasByRules = loan.amount === loanAmount(price, loan.duration_value, loan.free)
  await trx
    .updateTable('loanings')
    .set({
      start_date,
      end_date,
      duration_value,
      end_date_flagged: end_date !== dueByRules,
      override_reason: reasons.filter(Boolean).join(' · ') || null,
      ...(wasByRules ? { amount: loanAmount(price, duration_value, loan.free) } : {}),
      ...(terms.comment === undefined ? {} : { comment: terms.comment }),
    })
    .where('id', '=', loan.id)
    .execute()
  return { ok: true, answer: loan }
}

/** The return that the copy's cycle, the medium and the site's open days give. */
export const dueByRulesOf = (
  { cycle, medium, calendar }: Pick<LoanUnderChange, 'cycle' | 'medium' | 'calendar'>,
  start_date: string,
  duration: Duration,
): string => dueOn(start_date, duration, cycle, medium.end_day, calendar)

export async function journalLoan(
  trx: Trx,
  exchange: Exchange,
  action: string,
  before: StoredLoan,
  device_id?: string,
): Promise<Loan> {
  const after = await getLoan(trx, before.id, exchange.today)
  await journal(trx, exchange, { action, entity: 'loanings', entity_id: before.id, before, after, device_id })
  return serializeLoan(exchange.visibility, after)
}

/** Puts a copy back on the shelf when its loan ends without a return. */
export async function freeCopy(trx: Trx, copy: number): Promise<void> {
  await trx
    .updateTable('copies')
    .set({ status: 'Disponible' })
    .where('id', '=', copy)
    .where('status', '=', 'En Location')
    .execute()
}
