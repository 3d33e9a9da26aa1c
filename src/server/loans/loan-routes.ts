import type { AnswerOf } from '../../contract/endpoint.ts'
import { undoExtension as undoExtensionCall } from '../../contract/extensions.ts'
import { membersOf, mapMembers } from '../../contract/list.ts'
import { exportLoans as exportLoansCall } from '../../contract/loan-exports.ts'
import * as call from '../../contract/loans.ts'
import type {
  explainDelay as explainDelayCall,
  fastLoan as fastLoanCall,
  Loan,
} from '../../contract/loans.ts'
import * as returns from '../../contract/returns.ts'
import { isReaderVisible } from '../beneficiaries/beneficiary-queries.ts'
import type { Trx } from '../db/handles.ts'
import { aMomentAgo, change, decide, file, read, type VerbInput } from '../http/binding.ts'
import type { Decision } from '../http/decision.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { cancelLoan, deleteLoan } from './cancel-loan.ts'
import { journalLoan, lockVisibleLoan, noSuchLoan } from './change-loan.ts'
import { refusalsFor } from './eligibility.ts'
import { exportLoans } from './export-loans.ts'
import { lendCopy } from './lend-copy.ts'
import { listLoans } from './loan-queries.ts'
import { findVisibleLoan } from './loan-rows.ts'
import { noteHistoryRead, whoseHistory } from './note-history-read.ts'
import { findLentCopy, returnCopy, returnLoan } from './return-copy.ts'
import { serializeLoan } from './serialize-loan.ts'
import { undoExtension } from './undo-extension.ts'
import { undoLoan } from './undo-loan.ts'
import { extendLoan, updateLoan } from './update-loan.ts'

/** Lends at the medium's terms; a refusal is an answer whose sentence opens the full form. */
async function fastLoan(
  trx: Trx,
  { body }: VerbInput<typeof fastLoanCall>,
  exchange: Exchange,
): Promise<Outcome<Decision<AnswerOf<typeof fastLoanCall>>>> {
  const outcome = await lendCopy(trx, { body }, exchange)
  if (outcome.ok) return outcome
  const { status, message, violations } = outcome.refusal
  if (status !== 409 && status !== 422) return outcome
  return done({ answer: { error: violations?.[0]?.message ?? message }, writes: [] }, 200)
}

async function explainDelay(
  trx: Trx,
  { params, body }: VerbInput<typeof explainDelayCall>,
  exchange: Exchange,
): Promise<Outcome<Loan>> {
  const locked = await lockVisibleLoan(trx, params.id, exchange)
  if (!locked.ok) return locked
  const { loan } = locked.answer
  if (body.delay_reason) {
    const found = await trx
      .selectFrom('reasons')
      .select('id')
      .where('id', '=', body.delay_reason)
      .where('type', '=', 'delay')
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!found) return violation('delay_reason', 'Ce motif de retard n’existe pas.')
  }
  await trx
    .updateTable('loanings')
    .set({
      delay_reason: body.delay_reason === undefined ? (loan.delay_reason?.id ?? null) : body.delay_reason,
      delay_comment: body.delay_comment ?? loan.delay_comment,
    })
    .where('id', '=', loan.id)
    .execute()
  return done(await journalLoan(trx, exchange, 'loan.delay', loan))
}

export const loanRoutes = [
  read(call.listLoans, async (db, { list }, exchange) => {
    const page = await listLoans(db, list, exchange)
    await noteHistoryRead(exchange, whoseHistory(list, membersOf(page)))
    return done(mapMembers(page, (loan) => serializeLoan(exchange.visibility, loan)))
  }),
  aMomentAgo(file(exportLoansCall, exportLoans)),
  read(returns.findLentCopy, findLentCopy),
  read(call.getLoan, async (db, { params }, exchange) => {
    const loan = await findVisibleLoan(db, params.id, exchange)
    return loan ? done(serializeLoan(exchange.visibility, loan)) : noSuchLoan
  }),
  decide(call.lendCopy, lendCopy),
  decide(call.fastLoan, fastLoan),
  decide(returns.returnCopy, returnCopy),
  decide(returns.returnLoan, returnLoan),
  change(call.updateLoan, updateLoan),
  change(call.deleteLoan, deleteLoan),
  change(call.cancelLoan, cancelLoan),
  change(call.extendLoan, extendLoan),
  change(undoExtensionCall, undoExtension),
  change(call.explainDelay, explainDelay),
  change(returns.undoLoan, undoLoan),
  read(call.getEligibility, async (db, { query }, { today, visibility }) => {
    const copy = await db
      .selectFrom('copies')
      .innerJoin('references', 'references.id', 'copies.reference')
      .select('references.medium')
      .where('copies.id', '=', query.copy)
      .where('copies.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!copy) return notFound('Cet exemplaire n’existe pas.')
    if (!(await isReaderVisible(db, query.beneficiary, visibility))) {
      return notFound('Ce lecteur n’existe pas.')
    }
    const start_date = query.start_date ?? today
    const reasons = await refusalsFor(
      db,
      { beneficiary: query.beneficiary, medium: copy.medium, start_date },
      today,
    )
    if (!reasons) return notFound('Ce lecteur n’existe pas.')
    if (query.explain) return done({ eligible: reasons.length === 0, reasons })
    return done(reasons.length === 0)
  }),
]
