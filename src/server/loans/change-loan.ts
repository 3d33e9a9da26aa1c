import { sql } from 'kysely'

import type { Loan } from '../../contract/loans.ts'
import { daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { type Cycle, dueOn, loanAmount } from '../../domain/loan-rules.ts'
import type { Trx } from '../db/environment.ts'
import { type Exchange, isOpenTo } from '../http/exchange.ts'
import { notFound, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../journal.ts'
import { findLoan, getLoan } from './loan-queries.ts'

const longestLoanDays = 3660
export const noSuchLoan = notFound('Ce prêt n’existe pas.')

/** A loan under change: its copy's row, then its own, are locked until the transaction ends. */
export type LoanUnderChange = { loan: Loan; price: string; cycle: Cycle; end_day: number | null }

export async function lockLoan(trx: Trx, id: number, today: string): Promise<Outcome<LoanUnderChange>> {
  const { rows } = await sql<Cycle & { price: string; end_day: number | null }>`
    select coalesce(c.price, r.price) as price, c.cycle_type, c.cycle_value, m.end_day
    from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference left join media m on m.id = r.medium
    where l.id = ${id} and l.deleted_at is null
    for update of c`.execute(trx)
  await trx.selectFrom('loanings').select('id').where('id', '=', id).forUpdate().execute()
  const loan = await findLoan(trx, id, today)
  if (!rows[0] || !loan) return noSuchLoan
  const { price, end_day, ...cycle } = rows[0]
  return { ok: true, answer: { loan, price, cycle, end_day } }
}

/** The same, of a loan that is open to the caller: one of a site that is closed to them does not exist for them. */
export async function lockLoanInSight(
  trx: Trx,
  id: number,
  { today, caller }: Exchange,
): Promise<Outcome<LoanUnderChange>> {
  const locked = await lockLoan(trx, id, today)
  return locked.ok && !isOpenTo(caller, locked.answer.loan.site) ? noSuchLoan : locked
}

/** Gives a loan other terms; its amount follows when it was the rules' own (file 1, section 5). */
export async function setTerms(
  trx: Trx,
  { loan, price, cycle, end_day }: LoanUnderChange,
  terms: {
    start_date: string
    duration_value: number
    end_date: string
    comment?: string | undefined
  },
): Promise<Outcome<Loan>> {
  const { start_date, duration_value, end_date } = terms
  if (daysBetween(start_date, end_date) > longestLoanDays) {
    return violation('duration_value', `Le retour prévu, le ${frenchDay(end_date)}, n’est pas possible.`)
  }
  const { duration_type } = loan
  const dueByRules = dueOn(start_date, { duration_value, duration_type }, cycle, end_day)
  const wasByRules = loan.amount === loanAmount(price, loan.duration_value, loan.free)
  await trx
    .updateTable('loanings')
    .set({
      start_date,
      end_date,
      duration_value,
      end_date_flagged: end_date !== dueByRules,
      ...(wasByRules ? { amount: loanAmount(price, duration_value, loan.free) } : {}),
      ...(terms.comment === undefined ? {} : { comment: terms.comment }),
    })
    .where('id', '=', loan.id)
    .execute()
  return { ok: true, answer: loan }
}

/** The changed loan, once what changed is in the journal. */
export async function journalLoan(
  trx: Trx,
  exchange: Exchange,
  action: string,
  before: Loan,
  device_id?: string,
): Promise<Loan> {
  const after = await getLoan(trx, before.id, exchange.today)
  await journal(trx, exchange, { action, entity: 'loanings', entity_id: before.id, before, after, device_id })
  return after
}

/** Puts a copy back on the shelf when its loan ends without having been a return. */
export async function freeCopy(trx: Trx, copy: number): Promise<void> {
  await trx
    .updateTable('copies')
    .set({ status: 'Disponible' })
    .where('id', '=', copy)
    .where('status', '=', 'En Location')
    .execute()
}
