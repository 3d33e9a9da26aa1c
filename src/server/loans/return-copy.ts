import type { AnswerOf } from '../../contract/endpoint.ts'
import type { returnCopy as returnCopyCall, returnLoan as returnLoanCall } from '../../contract/loans.ts'
import { penaltyOf } from '../../domain/loan-rules.ts'
import type { Trx } from '../db/environment.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { journal } from '../journal.ts'
import { lockCopyByBarCode, openLoanOf, waitingReservations } from './circulating-copy.ts'
import { noSuchLoan } from './change-loan.ts'
import { happenedAt } from './happened-at.ts'
import { findLoan, getLoan } from './loan-queries.ts'

type Returned = Outcome<AnswerOf<typeof returnLoanCall>>

/** Closes the loan named in the address, of whatever site: a copy that came back is always taken. */
export async function returnLoan(
  trx: Trx,
  { params, body }: VerbInput<typeof returnLoanCall>,
  exchange: Exchange,
): Promise<Returned> {
  const loan = await findLoan(trx, params.id, exchange.today)
  if (!loan) return noSuchLoan
  return closeLoan(trx, loan, body, exchange)
}

/** Closes the open loan of the copy that was put on the counter. */
export async function returnCopy(
  trx: Trx,
  { body }: VerbInput<typeof returnCopyCall>,
  exchange: Exchange,
): Promise<Returned> {
  const copy = await lockCopyByBarCode(trx, body.bar_code)
  if (!copy)
    return conflict('COPY_UNKNOWN', `Aucun exemplaire ne porte le code «\u00a0${body.bar_code}\u00a0».`)
  const open = await openLoanOf(trx, copy.id)
  if (body.loan_key === undefined) {
    if (open) return closeLoan(trx, { id: open.id, copy: copy.id }, body, exchange)
    return conflict('NO_OPEN_LOAN', `«\u00a0${copy.name}\u00a0» n’est pas en prêt (${copy.status}).`, {
      last_loaning: await lastLoanOf(trx, copy.id, exchange.today),
    })
  }
  // A device returns the very loan it made: when that one was refused, another reader's must stay open.
  const named = await trx
    .selectFrom('loanings')
    .select(['id', 'copy'])
    .where('loan_key', '=', body.loan_key)
    .where('copy', '=', copy.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!named) {
    return conflict(
      'LOAN_NOT_MADE',
      `Le prêt de «\u00a0${copy.name}\u00a0» que ce retour devait clore n’a pas été enregistré.`,
      {
        loaning: open,
      },
    )
  }
  return closeLoan(trx, named, body, exchange)
}

async function lastLoanOf(trx: Trx, copy: number, today: string) {
  const last = await trx
    .selectFrom('loanings')
    .select('id')
    .where('copy', '=', copy)
    .where('status', '=', 'finished')
    .where('deleted_at', 'is', null)
    .orderBy('returned_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ? findLoan(trx, last.id, today) : null
}

async function closeLoan(
  trx: Trx,
  { id, copy }: { id: number; copy: number },
  body: VerbInput<typeof returnLoanCall>['body'],
  exchange: Exchange,
): Promise<Returned> {
  const happened = happenedAt(exchange, body.occurred_at)
  if (!happened.ok) return happened
  const { at, day, received_at } = happened.answer

  // The copy first, as everywhere: one order of locks, no deadlock.
  const {
    reference,
    state: stateBefore,
    ...rules
  } = await trx
    .selectFrom('copies')
    .innerJoin('references', 'references.id', 'copies.reference')
    .leftJoin('media', 'media.id', 'references.medium')
    .select([
      'copies.reference',
      'copies.state',
      'penalty_enabled',
      'penalty_amount',
      'penalty_duration_type',
    ])
    .where('copies.id', '=', copy)
    .forUpdate('copies')
    .executeTakeFirstOrThrow()
  const before = await findLoan(trx, id, exchange.today)
  // Deleted while this waited for the copy.
  if (!before) return noSuchLoan
  if (before.status === 'finished') {
    return conflict('ALREADY_RETURNED', `«\u00a0${before.reference_name}\u00a0» est déjà rendu.`, {
      loaning: before,
    })
  }
  if (before.status === 'cancelled') {
    return conflict('LOAN_CANCELLED', `Le prêt de «\u00a0${before.reference_name}\u00a0» a été annulé.`, {
      loaning: before,
    })
  }
  if (at < before.lent_at && body.occurred_at !== undefined) {
    return conflict(
      'NEWER_LOAN',
      `«\u00a0${before.reference_name}\u00a0» a été prêté de nouveau après ce retour.`,
      {
        loaning: before,
      },
    )
  }

  const return_date = day < before.start_date ? before.start_date : day
  const grace = exchange.parameters.number('delay_days_number_before_penalize')
  const penalty =
    body.penalty === false
      ? null
      : penaltyOf(before.end_date, return_date, grace, {
          ...rules,
          penalty_enabled: rules.penalty_enabled ?? false,
        })
  await trx
    .updateTable('loanings')
    .set({
      status: 'finished',
      return_date,
      return_comment: body.return_comment ?? '',
      state: body.state ?? null,
      state_before_return: stateBefore,
      ...penalty,
      returned_by: exchange.caller.user_id,
      returned_at: at,
      returned_received_at: received_at,
      returned_device: body.device_id ?? null,
    })
    .where('id', '=', id)
    .execute()
  const state = body.state ?? stateBefore
  await trx
    .updateTable('copies')
    .set({ state, status: state === 'UNUSABLE' ? 'Non Disponible' : 'Disponible' })
    .where('id', '=', copy)
    .execute()
  const after = await getLoan(trx, id, exchange.today)
  await journal(trx, exchange, {
    action: 'loan.return',
    entity: 'loanings',
    entity_id: id,
    before,
    after,
    device_id: body.device_id,
  })
  const someoneWaits = (await waitingReservations(trx, { id: copy, reference })).length > 0
  return done({ ...after, ...(someoneWaits ? { reservation_reference: reference } : {}) })
}
