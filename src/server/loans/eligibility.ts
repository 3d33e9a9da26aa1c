import { eligibilityRefusals, type EligibilityRule, type Refusal } from '../../domain/loan-rules.ts'
import type { Db, Trx } from '../db/environment.ts'

type MediumFacts = {
  id: number | null
  name: string
  max_loaning: number | null
  max_late: number | null
  eligibility: EligibilityRule
}

/** A reference without a medium sets no limit. */
const noMedium: MediumFacts = {
  id: null,
  name: '',
  max_loaning: null,
  max_late: null,
  eligibility: { contracts: [], statuses: [], dossiers: [] },
}

/** Asks the rules (domain/loan-rules.ts) with what the database knows; null when the beneficiary does not exist. */
export async function refusalsFor(
  db: Db | Trx,
  { beneficiary, medium, start_date }: { beneficiary: number; medium: number | null; start_date: string },
  today: string,
): Promise<Refusal[] | null> {
  const reader = await db
    .selectFrom('beneficiaries')
    .select(['exit_date', 'deleted_at', 'contract_type', 'beneficiary_status', 'dossiers'])
    .where('id', '=', beneficiary)
    .executeTakeFirst()
  if (!reader) return null
  const found =
    medium === null
      ? noMedium
      : await db
          .selectFrom('media')
          .select(['id', 'name', 'max_loaning', 'max_late', 'eligibility'])
          .where('id', '=', medium)
          .executeTakeFirstOrThrow()
  const counts = await db
    .selectFrom('loanings')
    .innerJoin('copies', 'copies.id', 'loanings.copy')
    .innerJoin('references', 'references.id', 'copies.reference')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('references.medium', '=', medium).as('open_loans'),
      fn.countAll<number>().filterWhere('loanings.end_date', '<', today).as('late_loans'),
    ])
    .where('loanings.beneficiary', '=', beneficiary)
    .where('loanings.status', '=', 'in_progress')
    .executeTakeFirstOrThrow()
  return eligibilityRefusals({
    start_date,
    beneficiary: { ...reader, is_active: reader.deleted_at === null },
    medium: found,
    ...counts,
  })
}
