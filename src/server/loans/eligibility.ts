import { sql } from 'kysely'

import { eligibilityRefusals, type EligibilityRule, type Refusal } from '../../domain/loan-rules.ts'
import type { Db, Trx } from '../db/handles.ts'

/** What the rules need of a reader b and a medium m; either may be missing. */
export type ReaderFacts = {
  exit_date: string | null
  is_active: boolean
  contract_type: string | null
  beneficiary_status: string | null
  dossiers: string[]
  medium_name: string | null
  max_loaning: number | null
  max_late: number | null
  eligibility: EligibilityRule | null
  open_loans: number
  late_loans: number
}

/** Loans are counted only up to a limit, so that a school with four hundred books waits no longer. */
export const readerFacts = (today: string) => sql<ReaderFacts>`
  b.exit_date, b.deleted_at is null as is_active, b.contract_type, b.beneficiary_status, b.dossiers,
  m.name as medium_name, m.max_loaning, m.max_late, m.eligibility,
  case when m.max_loaning is null then 0 else (
    select count(*) from (
      select from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
      where l.beneficiary = b.id and l.status = 'in_progress' and r.medium = m.id
      limit m.max_loaning) of_medium) end as open_loans,
  case when m.max_late is null then 0 else (
    select count(*) from loanings l
    where l.beneficiary = b.id and l.status = 'in_progress' and l.end_date < ${today}::date) end as late_loans`

const noRule: EligibilityRule = { contracts: [], statuses: [], dossiers: [] }

export function refusalsOf(facts: ReaderFacts, start_date: string): Refusal[] {
  const { max_loaning, max_late, open_loans, late_loans, eligibility, medium_name, ...beneficiary } = facts
  return eligibilityRefusals({
    start_date,
    beneficiary,
    medium: { name: medium_name ?? '', max_loaning, max_late, eligibility: eligibility ?? noRule },
    open_loans,
    late_loans,
  })
}

/** Why a reader may not borrow; null when there is no such reader. */
export async function refusalsFor(
  db: Db | Trx,
  { beneficiary, medium, start_date }: { beneficiary: number; medium: number | null; start_date: string },
  today: string,
): Promise<Refusal[] | null> {
  const { rows } = await sql<ReaderFacts>`
    select ${readerFacts(today)} from beneficiaries b left join media m on m.id = ${medium}
    where b.id = ${beneficiary}`.execute(db)
  return rows[0] ? refusalsOf(rows[0], start_date) : null
}
