import { sql } from 'kysely'

import type { undoExtension as undoExtensionCall } from '../../contract/extensions.ts'
import type { Loan } from '../../contract/loans.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { journalLoan, lockVisibleLoan } from './change-loan.ts'
import { loanFact } from './serialize-loan.ts'
import { isTooLateToUndo, notYours, tooLate } from './undo-loan.ts'

type Extension = {
  id: number
  user_id: number | null
  received_at: string
  from_date: string
  to_date: string
  duration_value: number
  amount: string
  end_date_flagged: boolean
  override_reason: string | null
}

/** Gives an open loan back the terms that it had before its last extension, within 10 minutes, by the same user. */
export async function undoExtension(
  trx: Trx,
  { params, body }: VerbInput<typeof undoExtensionCall>,
  exchange: Exchange,
): Promise<Outcome<Loan>> {
  const locked = await lockVisibleLoan(trx, params.id, exchange)
  if (!locked.ok) return locked
  const { loan } = locked.answer
  const facts = { loaning: loanFact(exchange.visibility, loan) }
  const last = await lastExtension(trx, loan.id)
  const isOpen = loan.status === 'in_progress'
  if (!last || !isOpen || loan.end_date !== body.end_date || last.to_date !== body.end_date) {
    return conflict('NOTHING_TO_UNDO', 'Ce prêt a changé depuis cette prolongation.', facts)
  }
  if (last.user_id !== exchange.caller.user_id) return conflict('NOT_YOURS', notYours, facts)
  if (isTooLateToUndo(last.received_at, exchange)) return conflict('TOO_LATE', tooLate, facts)
  const { from_date: end_date, duration_value, amount, end_date_flagged, override_reason } = last
  await trx
    .updateTable('loanings')
    .set({ end_date, duration_value, amount, end_date_flagged, override_reason })
    .where('id', '=', loan.id)
    .execute()
  // It counts no more among those that the medium allows.
  await trx.deleteFrom('loan_renewals').where('id', '=', last.id).execute()
  return done(await journalLoan(trx, exchange, 'loan.undo_extend', loan))
}

/** With the loan's terms before it, which the journal has; both were written at the same instant. */
async function lastExtension(trx: Trx, loan: number): Promise<Extension | undefined> {
  const { rows } = await sql<Extension>`
    select n.id, n.user_id, n.received_at, n.from_date, n.to_date, (j.before ->> 'duration_value')::int as duration_value,
      j.before ->> 'amount' as amount, (j.before ->> 'end_date_flagged')::boolean as end_date_flagged,
      j.before ->> 'override_reason' as override_reason
    from loan_renewals n cross join lateral (
      select before from audit_journal
      where entity = 'loanings' and entity_id = n.loaning and at = n.received_at and action in ('loan.extend', 'loan.update')
      order by id desc limit 1) j
    where n.loaning = ${loan} order by n.id desc limit 1`.execute(trx)
  return rows[0]
}
