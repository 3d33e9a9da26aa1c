import { sql } from 'kysely'

import { eligibilityRefusals, type EligibilityRule, type Refusal } from '../../domain/loan-rules.ts'
import type { Db, Trx } from '../db/environment.ts'

type Facts = {
  exit_date: string | null
  is_active: boolean
  contract_type: string | null
  beneficiary_status: string | null
  dossiers: string[]
  medium: string | null
  max_loaning: number | null
  max_late: number | null
  eligibility: EligibilityRule | null
  open_loans: number
  late_loans: number
}

/** A reference without a medium sets no limit. */
const noRule: EligibilityRule = { contracts: [], statuses: [], dossiers: [] }

/**
 * Asks the rules (domain/loan-rules.ts) with what the database knows; null when the beneficiary does not exist. Loans are counted where a
 * limit asks for it, those of the medium no further than that limit: a school with four hundred books at home waits no longer.
 */
export async function refusalsFor(
  db: Db | Trx,
  { beneficiary, medium, start_date }: { beneficiary: number; medium: number | null; start_date: string },
  today: string,
): Promise<Refusal[] | null> {
  const { rows } = await sql<Facts>`
    select b.exit_date, b.deleted_at is null as is_active, b.contract_type, b.beneficiary_status, b.dossiers,
      m.name as medium, m.max_loaning, m.max_late, m.eligibility,
      case when m.max_loaning is null then 0 else (
        select count(*) from (
          select from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
          where l.beneficiary = b.id and l.status = 'in_progress' and r.medium = m.id
          limit m.max_loaning) of_medium) end as open_loans,
      case when m.max_late is null then 0 else (
        select count(*) from loanings l
        where l.beneficiary = b.id and l.status = 'in_progress' and l.end_date < ${today}::date) end as late_loans
    from beneficiaries b left join media m on m.id = ${medium}
    where b.id = ${beneficiary}`.execute(db)
  const [facts] = rows
  if (!facts) return null
  const { max_loaning, max_late, open_loans, late_loans, eligibility, medium: name, ...reader } = facts
  return eligibilityRefusals({
    start_date,
    beneficiary: reader,
    medium: { name: name ?? '', max_loaning, max_late, eligibility: eligibility ?? noRule },
    open_loans,
    late_loans,
  })
}
