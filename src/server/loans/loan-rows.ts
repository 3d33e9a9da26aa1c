import { sql } from 'kysely'

import { isLate } from '../../domain/loan-rules.ts'
import { sumOfMoney } from '../../domain/money.ts'
import type { Db, Trx } from '../db/handles.ts'
import { amongIds } from '../db/lists/list-sql.ts'
import { coverPath } from '../library-facts/cover-path.ts'
import { accountName, readerInfo, readerName, relativeName } from '../library-facts/person-names.ts'
import { readerForgotten, type Visibility } from '../visibility/visibility.ts'
import { isLoanVisible, type StoredLoan } from './serialize-loan.ts'

export type LoanRow = Omit<
  StoredLoan,
  'expected_return_date' | 'islate' | 'penalty' | 'relative' | 'free_reason' | 'delay_reason'
> & {
  relative_id: number | null
  relative_name: string | null
  free_reason_id: number | null
  free_reason_name: string | null
  delay_reason_id: number | null
  delay_reason_name: string | null
}

// Other tables' words are looked up row by row, because planning a dozen joins costs more than the rows.
export const loanColumns = sql`
  l.id, l.beneficiary, coalesce(${readerInfo}, ${readerForgotten}::text) as beneficiary_info,
  coalesce(${readerName}, ${readerForgotten}::text) as beneficiary_name, b.agency_id,
  l.relative as relative_id, (select ${relativeName} from relatives rel where rel.id = l.relative) as relative_name,
  l.copy, c.bar_code as copy_barcode, c.state as copy_state, c.reference, r.name as reference_name,
  (select cat.name from categories cat where cat.id = r.category) as category,
  (select m.name from media m where m.id = r.medium) as medium, ${coverPath} as image_path,
  l.site, l.start_date, l.end_date, l.return_date, l.duration_value, l.duration_type, l.amount, l.free,
  l.free_reason as free_reason_id, (select fr.name from reasons fr where fr.id = l.free_reason) as free_reason_name,
  l.comment, l.return_comment, l.state,
  l.delay_reason as delay_reason_id, (select dr.name from reasons dr where dr.id = l.delay_reason) as delay_reason_name,
  l.delay_comment, l.penalty_count, l.penalty_duration, l.penalty_amount,
  l.status, l.override_reason, l.end_date_flagged, l.conditions_given, l.conditions_label, l.conditions_version, l.reminded_on,
  l.lent_at, (select ${accountName('lender')} from users lender where lender.id = l.lent_by) as lent_by,
  l.returned_at, (select ${accountName('receiver')} from users receiver where receiver.id = l.returned_by) as returned_by`

export const dressedLoans = sql`
  loanings l
  join copies c on c.id = l.copy
  join "references" r on r.id = c.reference
  left join beneficiaries b on b.id = l.beneficiary`

/** Loans that are not deleted, in the order of their ids. */
export async function readLoans(db: Db | Trx, ids: number[], today: string): Promise<StoredLoan[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<LoanRow>`
    select ${loanColumns} from ${dressedLoans} where ${amongIds(sql`l.id`, ids)} and l.deleted_at is null
    ${ids.length > 1 ? sql`order by array_position(${ids}::int[], l.id)` : sql``}`.execute(db)
  return rows.map((row) => loanOf(row, today))
}

export async function findLoan(db: Db | Trx, id: number, today: string): Promise<StoredLoan | null> {
  const [loan] = await readLoans(db, [id], today)
  return loan ?? null
}

export async function findVisibleLoan(
  db: Db | Trx,
  id: number,
  { visibility, today }: { visibility: Visibility; today: string },
): Promise<StoredLoan | null> {
  const loan = await findLoan(db, id, today)
  return loan && isLoanVisible(visibility, loan) ? loan : null
}

export async function getLoan(db: Db | Trx, id: number, today: string): Promise<StoredLoan> {
  const loan = await findLoan(db, id, today)
  if (!loan) throw new Error(`loan ${id} is gone`)
  return loan
}

export function loanOf(row: LoanRow, today: string): StoredLoan {
  const {
    relative_id,
    relative_name,
    free_reason_id,
    free_reason_name,
    delay_reason_id,
    delay_reason_name,
    ...rest
  } = row
  return {
    ...rest,
    relative: relative_id === null ? null : { id: relative_id, name: relative_name ?? '' },
    free_reason: free_reason_id === null ? null : { id: free_reason_id, name: free_reason_name ?? '' },
    delay_reason: delay_reason_id === null ? null : { id: delay_reason_id, name: delay_reason_name ?? '' },
    expected_return_date: row.end_date,
    islate: row.status !== 'cancelled' && isLate(row, today),
    penalty: row.penalty_amount === null ? null : { total: sumOfMoney([row.penalty_amount]) },
  }
}
