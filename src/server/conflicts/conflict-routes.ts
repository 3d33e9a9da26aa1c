import { settleConflict as settleConflictCall, type Settlement } from '../../contract/conflicts.ts'
import type { AnswerOf, InputOf } from '../../contract/endpoint.ts'
import type { Loan } from '../../contract/loans.ts'
import type { LoanElsewhere, returnCopy as returnCopyCall } from '../../contract/returns.ts'
import type { Right } from '../../domain/rights.ts'
import { choiceOf, type SettledKind } from '../../domain/settle-choices.ts'
import type { Trx } from '../db/handles.ts'
import { change } from '../http/binding.ts'
import { carriedOut } from '../http/decision.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, forbidden, type Outcome, violation } from '../http/outcome.ts'
import { lockCopyByBarCode, openLoanOf } from '../loans/circulating-copy.ts'
import { findLoan } from '../loans/loan-rows.ts'
import { returnCopy } from '../loans/return-copy.ts'
import { serializeFoundLoan } from '../loans/serialize-loan.ts'
import { isSiteOpen, type Visibility } from '../visibility/visibility.ts'
import { type Answer, lendAsChosen, whyMovedOn } from './lend-as-chosen.ts'

type Body = InputOf<typeof settleConflictCall>['body']

/** Settles a refused action once; its row is written first, so that two at once wait for each other. */
async function settleConflict(
  trx: Trx,
  { body }: { body: Body },
  exchange: Exchange,
): Promise<Outcome<Settlement>> {
  const kind: SettledKind = body.action.endpoint === 'loanings.lend' ? 'lend' : 'return'
  const { effect } = choiceOf(body.choice)
  const earlier = (body.earlier ?? []).map(({ choice }) => choiceOf(choice))
  if ((effect !== 'note' && effect !== kind) || earlier.some((before) => before.effect !== kind)) {
    return violation('choice', 'Ce choix ne convient pas à cette action.')
  }
  const { rights } = exchange.caller
  const needed: Right[] = [
    kind === 'lend' ? 'LOANING_ADD' : 'LOANING_RETURN',
    ...[choiceOf(body.choice), ...earlier].flatMap(({ right }) => right ?? []),
  ]
  if (!needed.every((right) => rights.has(right))) {
    return forbidden('Vous n’avez pas le droit de faire ce choix.')
  }
  const settled_at = exchange.now.toISOString()
  const first = await trx
    .insertInto('settlements')
    .values({
      resolves: body.resolves,
      choice: body.choice,
      reason: body.reason ?? null,
      motive: body.motive ?? null,
      action: JSON.stringify(body.action),
      settled_by: exchange.caller.user_id,
      settled_at,
      device_id: exchange.device_id ?? body.device_id ?? null,
      loaning: null,
    })
    .onConflict((clash) => clash.column('resolves').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!first) return done(await earlierSettlement(trx, body.resolves, exchange))

  const carried = await carryOut(trx, body, exchange)
  if (!carried.ok) return carried
  const loaning = carried.answer
  if (loaning) {
    await trx.updateTable('settlements').set({ loaning: loaning.id }).where('id', '=', first.id).execute()
  }
  await journal(trx, exchange, {
    action: 'conflict.settle',
    entity: 'settlements',
    entity_id: first.id,
    before: body.action,
    after: {
      choice: body.choice,
      earlier: body.earlier,
      reason: body.reason,
      motive: body.motive,
      loaning: loaning?.id ?? null,
    },
    device_id: body.device_id,
  })
  return done({
    '@id': `/api/conflicts/${first.id}`,
    '@type': 'Settlement',
    id: first.id,
    resolves: body.resolves,
    choice: body.choice,
    settled_by: exchange.caller.username,
    settled_at,
    is_first: true,
    loaning,
  })
}

async function earlierSettlement(
  trx: Trx,
  resolves: string,
  { today, visibility }: Exchange,
): Promise<Settlement> {
  const { username, loaning, ...row } = await trx
    .selectFrom('settlements')
    .innerJoin('users', 'users.id', 'settlements.settled_by')
    .select([
      'settlements.id',
      'settlements.resolves',
      'settlements.choice',
      'settlements.settled_at',
      'settlements.loaning',
      'users.username',
    ])
    .where('settlements.resolves', '=', resolves)
    .executeTakeFirstOrThrow()
  const loan = loaning === null ? null : await findLoan(trx, loaning, today)
  return {
    '@id': `/api/conflicts/${row.id}`,
    '@type': 'Settlement',
    ...row,
    settled_by: username,
    is_first: false,
    loaning: loan && serializeFoundLoan(visibility, loan),
  }
}

async function carryOut(
  trx: Trx,
  body: Body,
  exchange: Exchange,
): Promise<Outcome<Loan | LoanElsewhere | null>> {
  if (choiceOf(body.choice).effect === 'note') return done(null)
  const answers = answersOf(body)
  return body.action.endpoint === 'loanings.lend'
    ? lendAsChosen(trx, answers, body.action.body, exchange)
    : returnAsChosen(trx, answers, body.action, exchange)
}

/** Every answer to this conflict, oldest first, with the key of the refusal it answers. */
const answersOf = ({ earlier = [], ...body }: Body): Answer[] =>
  [...earlier, body].map((answer) => ({ ...answer, refused: answer.refused ?? body.resolves }))

type Action = InputOf<typeof settleConflictCall>['body']['action']
type Return = Exclude<Action, { endpoint: 'loanings.lend' }>

async function returnAsChosen(
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

export const conflictRoutes = [change(settleConflictCall, settleConflict)]
