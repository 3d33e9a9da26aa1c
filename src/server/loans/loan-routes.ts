import * as call from '../../contract/loans.ts'
import { change, read } from '../http/binding.ts'
import { isOpenTo } from '../http/exchange.ts'
import { done, notFound } from '../http/outcome.ts'
import { cancelLoan, deleteLoan } from './cancel-loan.ts'
import { noSuchLoan } from './change-loan.ts'
import { refusalsFor } from './eligibility.ts'
import { explainDelay } from './explain-delay.ts'
import { extendLoan } from './extend-loan.ts'
import { fastLoan } from './fast-loan.ts'
import { lendCopy } from './lend-copy.ts'
import { findLoan, listLoans } from './loan-queries.ts'
import { returnCopy, returnLoan } from './return-copy.ts'
import { undoLoan } from './undo-loan.ts'
import { updateLoan } from './update-loan.ts'

export const loanRoutes = [
  read(call.listLoans, async (db, { list }, { sites, today }) =>
    done(await listLoans(db, list, sites, today)),
  ),
  read(call.getLoan, async (db, { params }, { today, caller }) => {
    const loan = await findLoan(db, params.id, today)
    return loan && isOpenTo(caller, loan.site) ? done(loan) : noSuchLoan
  }),
  change(call.lendCopy, lendCopy),
  change(call.fastLoan, fastLoan),
  change(call.returnCopy, returnCopy),
  change(call.returnLoan, returnLoan),
  change(call.updateLoan, updateLoan),
  change(call.deleteLoan, deleteLoan),
  change(call.cancelLoan, cancelLoan),
  change(call.extendLoan, extendLoan),
  change(call.explainDelay, explainDelay),
  change(call.undoLoan, undoLoan),
  read(call.getEligibility, async (db, { query }, { today }) => {
    const copy = await db
      .selectFrom('copies')
      .innerJoin('references', 'references.id', 'copies.reference')
      .select('references.medium')
      .where('copies.id', '=', query.copy)
      .where('copies.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!copy) return notFound('Cet exemplaire n’existe pas.')
    const start_date = query.start_date ?? today
    const reasons = await refusalsFor(
      db,
      { beneficiary: query.beneficiary, medium: copy.medium, start_date },
      today,
    )
    if (!reasons) return notFound('Ce bénéficiaire n’existe pas.')
    if (query.explain) return done({ eligible: reasons.length === 0, reasons })
    return done(reasons.length === 0)
  }),
]
