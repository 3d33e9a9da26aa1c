import { type RawBuilder, sql } from 'kysely'

import type { CalendarUnit } from '../../domain/loan-rules.ts'
import type { Money } from '../../domain/money.ts'
import type { Trx } from '../db/handles.ts'
import type { StoredLoan } from './tell-loan.ts'
import { type WaitingReservation, waitingReservations } from './circulating-copy.ts'
import { dressedLoans, loanColumns, loanOf, type LoanRow } from './loan-rows.ts'

type Beside = {
  home_site: number
  home_site_name: string
  waiting: WaitingReservation[]
  penalty_enabled: boolean
  unit_penalty: Money | null
  penalty_duration_type: CalendarUnit | null
}
export type ClosingFacts = Beside & { loan: StoredLoan }

async function readFacts(
  trx: Trx,
  condition: RawBuilder<unknown>,
  today: string,
): Promise<ClosingFacts | null> {
  const { rows } = await sql<LoanRow & Beside>`
    select ${loanColumns}, c.site as home_site, (select s.name from sites s where s.id = c.site) as home_site_name,
      coalesce((select json_agg(w) from (${waitingReservations}) w), '[]') as waiting,
      coalesce(rules.penalty_enabled, false) as penalty_enabled, rules.penalty_amount as unit_penalty,
      rules.penalty_duration_type
    from ${dressedLoans} left join media rules on rules.id = r.medium
    where ${condition} and l.deleted_at is null`.execute(trx)
  const [row] = rows
  if (!row) return null
  const {
    home_site,
    home_site_name,
    waiting,
    penalty_enabled,
    unit_penalty,
    penalty_duration_type,
    ...loan
  } = row
  return {
    loan: loanOf(loan, today),
    home_site,
    home_site_name,
    waiting,
    penalty_enabled,
    unit_penalty,
    penalty_duration_type,
  }
}

/** The loan with what closing it needs, or null; lock its copy first. */
export const closingFacts = (trx: Trx, id: number, today: string) => readFacts(trx, sql`l.id = ${id}`, today)

type Copy = number | RawBuilder<unknown>

export const closingFactsOfOpen = (trx: Trx, copy: Copy, today: string) =>
  readFacts(trx, sql`l.copy = ${copy} and l.status = 'in_progress'`, today)

/** The same for the loan that a device made under this key. */
export const closingFactsOfKey = (trx: Trx, copy: Copy, loan_key: string, today: string) =>
  readFacts(trx, sql`l.copy = ${copy} and l.loan_key = ${loan_key}`, today)
