import { renewalRefusal } from '../../domain/loan-rules.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import type { LoanUnderChange } from './change-loan.ts'
import type { StoredLoan } from './tell-loan.ts'
import type { Objection } from './why-beyond.ts'

/** What its medium has against extending a loan once more. */
export async function renewedTooOften(
  trx: Trx,
  { loan, max_renewals }: LoanUnderChange,
): Promise<Objection[]> {
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
export async function countRenewal(
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
