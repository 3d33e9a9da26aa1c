import { exportLoans as exportLoansCall } from '../../contract/loan-exports.ts'
import * as call from '../../contract/loans.ts'
import * as returns from '../../contract/returns.ts'
import { aMomentAgo, change, decide, file, read } from '../http/binding.ts'
import { done, notFound } from '../http/outcome.ts'
import { isReaderInSight } from '../beneficiaries/beneficiary-queries.ts'
import { noteHistoryRead, whoseHistory } from './note-history-read.ts'
import { tellLoan } from './tell-loan.ts'
import { cancelLoan, deleteLoan } from './cancel-loan.ts'
import { noSuchLoan } from './change-loan.ts'
import { refusalsFor } from './eligibility.ts'
import { exportLoans } from './export-loans.ts'
import { explainDelay } from './explain-delay.ts'
import { extendLoan } from './extend-loan.ts'
import { fastLoan } from './fast-loan.ts'
import { lendCopy } from './lend-copy.ts'
import { listLoans } from './loan-queries.ts'
import { findLoanInSight } from './loan-rows.ts'
import { returnCopy, returnLoan } from './return-copy.ts'
import { undoLoan } from './undo-loan.ts'
import { updateLoan } from './update-loan.ts'

export const loanRoutes = [
  read(call.listLoans, async (db, { list }, exchange) => {
    const page = await listLoans(db, list, exchange)
    await noteHistoryRead(exchange, whoseHistory(list, page['hydra:member']))
    const members = page['hydra:member'].map((loan) => tellLoan(exchange.sight, loan))
    return done({ ...page, 'hydra:member': members })
  }),
  aMomentAgo(file(exportLoansCall, exportLoans)),
  read(call.getLoan, async (db, { params }, exchange) => {
    const loan = await findLoanInSight(db, params.id, exchange)
    return loan ? done(tellLoan(exchange.sight, loan)) : noSuchLoan
  }),
  decide(call.lendCopy, lendCopy),
  decide(call.fastLoan, fastLoan),
  decide(returns.returnCopy, returnCopy),
  decide(returns.returnLoan, returnLoan),
  change(call.updateLoan, updateLoan),
  change(call.deleteLoan, deleteLoan),
  change(call.cancelLoan, cancelLoan),
  change(call.extendLoan, extendLoan),
  change(call.explainDelay, explainDelay),
  change(returns.undoLoan, undoLoan),
  read(call.getEligibility, async (db, { query }, { today, sight }) => {
    const copy = await db
      .selectFrom('copies')
      .innerJoin('references', 'references.id', 'copies.reference')
      .select('references.medium')
      .where('copies.id', '=', query.copy)
      .where('copies.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!copy) return notFound('Cet exemplaire n’existe pas.')
    if (!(await isReaderInSight(db, query.beneficiary, sight))) {
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
