import type { InputOf } from '../../contract/endpoint.ts'
import type { Settlement, settleConflict as settleConflictCall } from '../../contract/conflicts.ts'
import type { Loan } from '../../contract/loans.ts'
import { choiceOf, type SettledKind, settleChoices } from '../../domain/settle-choices.ts'
import type { Trx } from '../db/environment.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, forbidden, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../journal.ts'
import { lockCopyByBarCode, lockCopyById, openLoanOf } from '../loans/circulating-copy.ts'
import { lendCopy } from '../loans/lend-copy.ts'
import { findLoan } from '../loans/loan-queries.ts'
import { returnCopy } from '../loans/return-copy.ts'

type Body = InputOf<typeof settleConflictCall>['body']
type Lend = Extract<Body['action'], { endpoint: 'loanings.lend' }>['body']

/**
 * Settles a refused action by a person's choice, once: whoever comes second with the same conflict is told what the first one chose. The
 * row that says so is written first, so that two who choose at the same instant wait for each other; a choice that cannot be carried
 * out leaves no row.
 */
export async function settleConflict(
  trx: Trx,
  { body }: { body: Body },
  exchange: Exchange,
): Promise<Outcome<Settlement>> {
  const { effect, right } = choiceOf(body.choice)
  const kind: SettledKind = body.action.endpoint === 'loanings.lend' ? 'lend' : 'return'
  if (effect !== 'note' && effect !== kind) {
    return violation('choice', 'Ce choix ne convient pas à cette action.')
  }
  const { rights } = exchange.caller
  const ofEffect = kind === 'lend' ? 'LOANING_ADD' : 'LOANING_RETURN'
  if (!rights.has(ofEffect) || (right !== null && !rights.has(right))) {
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
      device_id: body.device_id ?? null,
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
    after: { choice: body.choice, reason: body.reason, motive: body.motive, loaning: loaning?.id ?? null },
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

async function earlierSettlement(trx: Trx, resolves: string, { today }: Exchange): Promise<Settlement> {
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
  return {
    '@id': `/api/conflicts/${row.id}`,
    '@type': 'Settlement',
    ...row,
    settled_by: username,
    is_first: false,
    loaning: loaning === null ? null : await findLoan(trx, loaning, today),
  }
}

/** Does what the choice says; null where it is only noted. Choices that lend keep the refused action's own terms and time. */
async function carryOut(trx: Trx, body: Body, exchange: Exchange): Promise<Outcome<Loan | null>> {
  const { action, choice } = body
  if (settleChoices[choice].effect === 'note') return done(null)
  if (action.endpoint === 'loanings.lend') return lendAsChosen(trx, body, action.body, exchange)
  const back = { ...action.body, ...(body.happened_at ? { occurred_at: body.happened_at } : {}) }
  if (choice === 'LINK_RETURN') {
    if (body.bar_code === undefined) return violation('bar_code', 'Indiquez l’exemplaire rendu.')
    return withoutReader(await returnCopy(trx, returnOf(back, body.bar_code), exchange))
  }
  const bar_code = await barCodeOf(trx, action)
  if (bar_code === null) return violation('action', 'Cet exemplaire n’existe pas.')
  if (choice === 'RETURN_FOR_HOLDER') {
    const moved = await whyMovedOn(trx, bar_code, body.seen_loaning)
    if (moved) return moved
  } else if (body.happened_at === undefined) {
    return violation('happened_at', 'Indiquez quand le retour a eu lieu.')
  }
  return withoutReader(await returnCopy(trx, returnOf(back, bar_code), exchange))
}

async function lendAsChosen(trx: Trx, body: Body, refused: Lend, exchange: Exchange): Promise<Outcome<Loan>> {
  const lend = (changed: Partial<Lend>) => lendCopy(trx, { body: { ...refused, ...changed } }, exchange)
  switch (body.choice) {
    case 'CLOSE_AND_LEND': {
      const copy = await lockCopyById(trx, refused.copy)
      if (!copy) return violation('copy', 'Cet exemplaire n’existe pas.')
      const moved = await whyMovedOn(trx, copy.bar_code, body.seen_loaning)
      if (moved) return moved
      const open = await openLoanOf(trx, copy.id)
      if (!open) return lend({})
      // At the time of this loan; one that began later ends as it began.
      const { occurred_at = exchange.now.toISOString(), device_id } = refused
      const at = Date.parse(occurred_at) < Date.parse(open.lent_at) ? open.lent_at : occurred_at
      const back = returnOf(
        { occurred_at: at, ...(device_id === undefined ? {} : { device_id }) },
        copy.bar_code,
      )
      const closed = await returnCopy(trx, back, exchange)
      return closed.ok ? lend({}) : closed
    }
    case 'LEND_DESPITE_RESERVATION':
      return lend({ despite_reservations: true })
    case 'OVERRIDE':
      if (body.motive === undefined) return violation('motive', 'Indiquez le motif.')
      return lend({ override_reason: body.motive })
    case 'RECALL':
      // The copy has left, whatever the rules say: the loan is kept, due at once, so that reminders call it back. No right is needed
      // to tell the truth.
      return lendCopy(
        trx,
        {
          body: {
            ...refused,
            override_reason: 'Rappel demandé au lecteur',
            expected_return_date: exchange.today,
            despite_reservations: true,
          },
        },
        {
          ...exchange,
          caller: { ...exchange.caller, rights: new Set([...exchange.caller.rights, 'LOANING_OVERRIDE']) },
        },
      )
    case 'LINK_LEND': {
      if (body.bar_code === undefined) return violation('bar_code', 'Indiquez l’exemplaire prêté.')
      const copy = await lockCopyByBarCode(trx, body.bar_code)
      return copy
        ? lend({ copy: copy.id })
        : violation('bar_code', `Aucun exemplaire ne porte le code « ${body.bar_code} ».`)
    }
    case 'DATE_LEND':
      return body.happened_at === undefined
        ? violation('happened_at', 'Indiquez quand le prêt a eu lieu.')
        : lend({ occurred_at: body.happened_at })
    default:
      return violation('choice', 'Ce choix ne convient pas à cette action.')
  }
}

/** The person chose before what they saw: where another loan took its place since, they are asked again. */
async function whyMovedOn(trx: Trx, bar_code: string, seen: number | null | undefined) {
  const copy = await lockCopyByBarCode(trx, bar_code)
  const open = copy && (await openLoanOf(trx, copy.id))
  if (!copy || seen === null || seen === undefined || open?.id === seen) return null
  return conflict(
    open ? 'ALREADY_LENT' : 'NO_OPEN_LOAN',
    open
      ? `« ${copy.name} » est prêté à ${open.beneficiary_info} depuis votre lecture.`
      : `« ${copy.name} » n’est plus en prêt.`,
    open ? { loaning: open } : {},
  )
}

type Return = Extract<Body['action'], { endpoint: 'loanings.return_copy' }>['body']

/** A return of the copy that lies on the counter, whoever has it. */
function returnOf(refused: Partial<Return>, bar_code: string) {
  const { loan_key: _, ...body } = refused
  return { params: undefined, query: undefined, body: { ...body, bar_code } }
}

async function barCodeOf(trx: Trx, action: Exclude<Body['action'], { endpoint: 'loanings.lend' }>) {
  if (action.endpoint === 'loanings.return_copy') return action.body.bar_code
  const row = await trx
    .selectFrom('loanings')
    .innerJoin('copies', 'copies.id', 'loanings.copy')
    .select('copies.bar_code')
    .where('loanings.id', '=', action.loaning)
    .executeTakeFirst()
  return row?.bar_code ?? null
}

function withoutReader(outcome: Awaited<ReturnType<typeof returnCopy>>): Outcome<Loan> {
  if (!outcome.ok) return outcome
  const { reservation_reference: _, ...loan } = outcome.answer
  return done(loan)
}
