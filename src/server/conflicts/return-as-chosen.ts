import type { settleConflict } from '../../contract/conflicts.ts'
import type { AnswerOf, InputOf } from '../../contract/endpoint.ts'
import type { Loan } from '../../contract/loans.ts'
import type { LoanElsewhere, returnCopy as returnCopyCall } from '../../contract/returns.ts'
import type { Trx } from '../db/handles.ts'
import { carriedOut } from '../http/decision.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { lockCopyByBarCode, openLoanOf } from '../loans/circulating-copy.ts'
import { returnCopy } from '../loans/return-copy.ts'
import { isSiteOpen, type Visibility } from '../visibility/visibility.ts'
import type { Answer } from './lend-as-chosen.ts'
import { whyMovedOn } from './moved-on.ts'

type Action = InputOf<typeof settleConflict>['body']['action']
type Return = Exclude<Action, { endpoint: 'loanings.lend' }>

export async function returnAsChosen(
  trx: Trx,
  answers: readonly Answer[],
  action: Return,
  exchange: Exchange,
): Promise<Outcome<Loan | LoanElsewhere>> {
  let bar_code = await barCodeOf(trx, action, exchange.visibility)
  let { occurred_at } = action.body
  let ofHolder: Answer | null = null
  for (const answer of answers) {
    if (answer.choice === 'LINK_RETURN') {
      if (answer.bar_code === undefined) return violation('bar_code', 'Indiquez l’exemplaire rendu.')
      bar_code = answer.bar_code
      // The loan that was seen is another copy's.
      ofHolder = null
    } else if (answer.choice === 'DATE_RETURN') {
      if (answer.happened_at === undefined) {
        return violation('happened_at', 'Indiquez quand le retour a eu lieu.')
      }
      occurred_at = answer.happened_at
    } else ofHolder = answer
  }
  if (bar_code === null) return violation('action', 'Cet exemplaire n’existe pas.')
  if (ofHolder) {
    const copy = await lockCopyByBarCode(trx, bar_code)
    const moved =
      copy && whyMovedOn(exchange.visibility, copy, await openLoanOf(trx, copy.id), ofHolder.seen_loaning)
    if (moved) return moved
  }
  const { loan_key: _, ...told }: Partial<Extract<Return, { endpoint: 'loanings.return_copy' }>['body']> =
    action.body
  const body = { ...told, bar_code, ...(occurred_at === undefined ? {} : { occurred_at }) }
  const decided = await returnCopy(trx, { params: undefined, query: undefined, body }, exchange)
  return withoutNotes(await carriedOut(trx, decided))
}

async function barCodeOf(trx: Trx, action: Return, visibility: Visibility): Promise<string | null> {
  if (action.endpoint === 'loanings.return_copy') return action.body.bar_code
  const row = await trx
    .selectFrom('loanings')
    .innerJoin('copies', 'copies.id', 'loanings.copy')
    .select(['copies.bar_code', 'loanings.site'])
    .where('loanings.id', '=', action.loaning)
    .executeTakeFirst()
  return row && isSiteOpen(visibility, row.site) ? row.bar_code : null
}

function withoutNotes(outcome: Outcome<AnswerOf<typeof returnCopyCall>>): Outcome<Loan | LoanElsewhere> {
  if (!outcome.ok) return outcome
  const { reservation_reference: _, awaited_by: _by, home_site: _home, ...loan } = outcome.answer
  return done(loan)
}
