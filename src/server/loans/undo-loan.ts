import type { Loan } from '../../contract/loans.ts'
import type { undoLoan as undoLoanCall } from '../../contract/returns.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { putBackFor } from '../queue/change-queue.ts'
import { withdrawLoan } from './cancel-loan.ts'
import { journalLoan, lockLoanOfOpenSite } from './change-loan.ts'
import { loanFact, type StoredLoan } from './serialize-loan.ts'

const undoMs = 10 * 60_000

export const isTooLateToUndo = (received_at: string, { now }: Pick<Exchange, 'now'>): boolean =>
  now.getTime() - Date.parse(received_at) > undoMs

export const notYours = 'Seule la personne qui l’a fait peut le reprendre.'
export const tooLate = 'Plus de 10 minutes ont passé\u202f: il est trop tard pour reprendre.'

/** Undoes the last lend or return of a loan within 10 minutes, by the same user. */
export async function undoLoan(
  trx: Trx,
  { params, body }: VerbInput<typeof undoLoanCall>,
  exchange: Exchange,
): Promise<Outcome<Loan>> {
  const locked = await lockLoanOfOpenSite(trx, params.id, exchange)
  if (!locked.ok) return locked
  const { loan } = locked.answer
  if (loan.status === 'cancelled')
    return conflict('NOTHING_TO_UNDO', 'Ce prêt est déjà annulé.', {
      loaning: loanFact(exchange.visibility, loan),
    })
  const last = await trx
    .selectFrom('loanings')
    .select(['lent_by', 'lent_received_at', 'returned_by', 'returned_received_at'])
    .where('id', '=', loan.id)
    .executeTakeFirstOrThrow()
  const isReturn = loan.status === 'finished'
  const by = isReturn ? last.returned_by : last.lent_by
  const at = (isReturn ? last.returned_received_at : last.lent_received_at) ?? ''
  if (body.expects !== undefined && body.expects !== (isReturn ? 'return' : 'lend')) {
    const message = isReturn
      ? 'Ce prêt a été rendu depuis\u202f: annulez d’abord son retour.'
      : 'Ce retour est déjà annulé.'
    return conflict('NOT_LAST', message, { loaning: loanFact(exchange.visibility, loan) })
  }
  if (by !== exchange.caller.user_id) {
    return conflict('NOT_YOURS', notYours, { loaning: loanFact(exchange.visibility, loan) })
  }
  if (isTooLateToUndo(at, exchange)) {
    return conflict('TOO_LATE', tooLate, { loaning: loanFact(exchange.visibility, loan) })
  }
  if (!isReturn) {
    await withdrawLoan(trx, loan)
    return done(await journalLoan(trx, exchange, 'loan.undo_lend', loan, body.device_id))
  }
  return undoReturn(trx, loan, exchange, body.device_id)
}

/** Opens a returned loan again, where its copy is as the return left it; copy and loan are locked. */
export async function undoReturn(
  trx: Trx,
  loan: StoredLoan,
  exchange: Exchange,
  device_id?: string,
): Promise<Outcome<Loan>> {
  if (loan.beneficiary === null) {
    return conflict('READER_FORGOTTEN', 'Ce prêt est coupé de son lecteur\u202f: il ne se rouvre plus.', {
      loaning: loanFact(exchange.visibility, loan),
    })
  }
  const last = await trx
    .selectFrom('loanings')
    .select('state_before_return')
    .where('id', '=', loan.id)
    .executeTakeFirstOrThrow()
  const copy = await trx
    .selectFrom('copies')
    .select(['status', 'state', 'deleted_at', 'withdrawn_on'])
    .where('id', '=', loan.copy)
    .executeTakeFirstOrThrow()
  // Loans of a copy follow one another, so a later one began after this return.
  const later = await trx
    .selectFrom('loanings')
    .select('id')
    .where('copy', '=', loan.copy)
    .where('id', '>', loan.id)
    .where('status', '!=', 'cancelled')
    .executeTakeFirst()
  const isAsLeft =
    !later &&
    copy.deleted_at === null &&
    copy.withdrawn_on === null &&
    copy.status === (copy.state === 'UNUSABLE' ? 'Non Disponible' : 'Disponible')
  if (!isAsLeft) {
    return conflict('COPY_MOVED_ON', 'L’exemplaire a déjà servi à autre chose depuis ce retour.', {
      loaning: loanFact(exchange.visibility, loan),
    })
  }
  await trx
    .updateTable('loanings')
    .set({
      status: 'in_progress',
      return_date: null,
      return_comment: '',
      state: null,
      state_before_return: null,
      penalty_count: null,
      penalty_duration: null,
      penalty_amount: null,
      returned_by: null,
      returned_at: null,
      returned_received_at: null,
      returned_device: null,
    })
    .where('id', '=', loan.id)
    .execute()
  await trx
    .updateTable('copies')
    .set({ status: 'En Location', state: last.state_before_return ?? copy.state })
    .where('id', '=', loan.copy)
    .execute()
  await putBackFor(trx, loan.copy, exchange)
  return done(await journalLoan(trx, exchange, 'loan.undo_return', loan, device_id))
}
