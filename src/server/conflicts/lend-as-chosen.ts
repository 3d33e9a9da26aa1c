import * as v from 'valibot'

import type { ConflictAnswer, settleConflict } from '../../contract/conflicts.ts'
import type { InputOf } from '../../contract/endpoint.ts'
import type { LentLoan } from '../../contract/loans.ts'
import type { Trx } from '../db/handles.ts'
import { carriedOut } from '../http/decision.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, type Outcome, violation } from '../http/outcome.ts'
import { foundByCode, type Lend } from '../loans/by-code.ts'
import {
  type CirculatingCopy,
  lockCopyByBarCode,
  lockCopyById,
  type OpenLoan,
  openLoanOf,
} from '../loans/circulating-copy.ts'
import { happenedAt } from '../loans/happened-at.ts'
import { lendCopy } from '../loans/lend-copy.ts'
import { lendWithinBounds } from '../loans/lend-terms.ts'
import { returnCopy } from '../loans/return-copy.ts'
import { holderFact, holderWords } from '../loans/serialize-loan.ts'
import { isSiteOpen, type Visibility } from '../visibility/visibility.ts'

/** An answer given before a refusal; `refused` is that refusal's key. */
export type Answer = ConflictAnswer & { refused: string }

type Action = InputOf<typeof settleConflict>['body']['action']
type Asked = Extract<Action, { endpoint: 'loanings.lend' }>['body']

/** The refused loan as the answers make it: `close` makes way for it, `recall` makes it due at once. */
type ChosenLend = {
  lend: Asked
  close: Answer | null
  recall: Answer | null
  isRedated: boolean
  isBounded: boolean
  isScanned: boolean
}

/** Lends as all answers say; the rest keeps the refused action's terms and time. */
export async function lendAsChosen(
  trx: Trx,
  answers: readonly Answer[],
  refused: Asked,
  exchange: Exchange,
): Promise<Outcome<LentLoan>> {
  let chosen: ChosenLend = {
    lend: refused,
    close: null,
    recall: null,
    isRedated: false,
    isBounded: false,
    isScanned: false,
  }
  for (const answer of answers) {
    const next = await answered(trx, chosen, answer, exchange)
    if (!next.ok) return next
    chosen = next.answer
  }
  const { close, recall, isRedated, isBounded, isScanned } = chosen
  const found = await foundByCode(trx, chosen.lend, exchange)
  if (!found.ok) return found
  const lend = found.answer
  if (close) {
    const closed = await closeOther(trx, close, { lend, isScanned }, exchange)
    if (!closed.ok) return closed
  }
  const isRecalled = recall !== null && (await mayRecall(trx, recall, lend, exchange))
  const wanted = isRecalled ? dueAtOnce(lend, exchange) : lend
  // Calling back passes over the reader's refusals, but not the bounds.
  const body = isBounded || isRecalled ? await withinBounds(trx, wanted, exchange) : wanted
  const decided = await lendCopy(trx, { body }, isRecalled ? overriding(exchange) : exchange)
  const made = await carriedOut(trx, decided)
  if (!made.ok || (!isRedated && body === wanted)) return made
  await trx.updateTable('loanings').set({ end_date_flagged: true }).where('id', '=', made.answer.id).execute()
  return done({ ...made.answer, end_date_flagged: true })
}

async function answered(
  trx: Trx,
  chosen: ChosenLend,
  answer: Answer,
  exchange: Exchange,
): Promise<Outcome<ChosenLend>> {
  const { lend } = chosen
  switch (answer.choice) {
    case 'CLOSE_AND_LEND':
      return done({ ...chosen, close: answer })
    case 'LEND_DESPITE_RESERVATION':
      return done({ ...chosen, lend: { ...lend, despite_reservations: true } })
    case 'OVERRIDE':
      if (answer.motive === undefined) return violation('motive', 'Indiquez le motif.')
      return done({ ...chosen, lend: { ...lend, override_reason: answer.motive } })
    case 'LEND_WITHIN_BOUNDS':
      return done({ ...chosen, isBounded: true })
    case 'RECALL':
      return done({ ...chosen, recall: answer })
    case 'LINK_LEND': {
      if (answer.bar_code === undefined) return violation('bar_code', 'Indiquez l’exemplaire prêté.')
      const copy = await lockCopyByBarCode(trx, answer.bar_code)
      const { copy: _, copy_code: _code, ...terms } = lend
      // The loan to be closed was another copy's.
      return copy
        ? done({ ...chosen, lend: { ...terms, copy: copy.id }, close: null, isScanned: true })
        : violation('bar_code', `Aucun exemplaire ne porte le code «\u00a0${answer.bar_code}\u00a0».`)
    }
    case 'LINK_READER': {
      const { beneficiary_code } = answer
      if (beneficiary_code === undefined) return violation('beneficiary_code', 'Indiquez le lecteur.')
      const { beneficiary: _, beneficiary_code: _code, relative: _relative, ...terms } = lend
      return done({ ...chosen, lend: { ...terms, beneficiary_code } })
    }
    case 'DATE_LEND': {
      if (answer.happened_at === undefined) {
        return violation('happened_at', 'Indiquez quand le prêt a eu lieu.')
      }
      return redated(chosen, answer.happened_at, exchange)
    }
    default:
      return violation('choice', 'Ce choix ne convient pas à cette action.')
  }
}

/** Days told by a wrong clock give way to the rules, and the loan is flagged. */
function redated(chosen: ChosenLend, occurred_at: string, exchange: Exchange): Outcome<ChosenLend> {
  const happened = happenedAt(exchange, occurred_at)
  if (!happened.ok) return happened
  const { day } = happened.answer
  const { start_date, expected_return_date, ...lend } = chosen.lend
  const holds = (told: string | undefined) => told !== undefined && told >= day
  return done({
    ...chosen,
    lend: {
      ...lend,
      occurred_at,
      ...(holds(start_date) ? { start_date } : {}),
      ...(holds(expected_return_date) ? { expected_return_date } : {}),
    },
    isRedated: [start_date, expected_return_date].some((told) => told !== undefined && !holds(told)),
  })
}

/** The loan within its bounds; where lending would refuse it anyway, as it was. */
async function withinBounds(trx: Trx, lend: Lend, exchange: Exchange): Promise<Lend> {
  const happened = happenedAt(exchange, lend.occurred_at)
  const copy = await lockCopyById(trx, lend.copy)
  return happened.ok && copy ? lendWithinBounds(lend, copy, happened.answer.day, exchange) : lend
}

/** Closes the loan in the way at this one's time, or as it began if that was later. */
async function closeOther(
  trx: Trx,
  close: Answer,
  { lend, isScanned }: { lend: Lend; isScanned: boolean },
  exchange: Exchange,
): Promise<Outcome<null>> {
  const copy = await lockCopyById(trx, lend.copy)
  if (!copy) return violation('copy', 'Cet exemplaire n’existe pas.')
  const open = await openLoanOf(trx, copy.id)
  // Lending itself refuses a reader who already has the copy.
  if (!open || open.beneficiary === lend.beneficiary) return done(null)
  // A loan and copy of closed sites come back by the copy's code only.
  const { visibility } = exchange
  if (!isScanned && !isSiteOpen(visibility, open.site) && !isSiteOpen(visibility, copy.site))
    return done(null)
  const moved = whyMovedOn(visibility, copy, open, close.seen_loaning)
  if (moved) return moved
  const { occurred_at = exchange.now.toISOString(), device_id } = lend
  const body = {
    bar_code: copy.bar_code,
    occurred_at: Date.parse(occurred_at) < Date.parse(open.lent_at) ? open.lent_at : occurred_at,
    ...(device_id === undefined ? {} : { device_id }),
  }
  const decided = await returnCopy(trx, { params: undefined, query: undefined, body }, exchange)
  const closed = await carriedOut(trx, decided)
  return closed.ok ? done(null) : closed
}

const ineligible = v.object({
  reason: v.literal('NOT_ELIGIBLE'),
  facts: v.object({ copy: v.number(), beneficiary: v.number() }),
})

/** A recall needs no right, but this refusal must be real: else it would be a way past the rules. */
async function mayRecall(trx: Trx, { refused }: Answer, lend: Lend, { caller }: Exchange): Promise<boolean> {
  if (caller.rights.has('LOANING_OVERRIDE')) return true
  const stored = await trx
    .selectFrom('idempotency_keys')
    .select(['status', 'answer'])
    .where('key', '=', refused)
    .executeTakeFirst()
  if (stored?.status !== 422) return false
  const told: unknown = JSON.parse(stored.answer)
  return (
    v.is(ineligible, told) && told.facts.copy === lend.copy && told.facts.beneficiary === lend.beneficiary
  )
}

/** The copy has left whatever the rules say, so it is due at once and reminders call it back. */
const dueAtOnce = (lend: Lend, { today }: Exchange): Lend => ({
  ...lend,
  override_reason: 'Rappel demandé au lecteur',
  expected_return_date: today,
  despite_reservations: true,
})

const overriding = (exchange: Exchange): Exchange => ({
  ...exchange,
  caller: { ...exchange.caller, rights: new Set([...exchange.caller.rights, 'LOANING_OVERRIDE']) },
})

/** Asks again where another loan has taken the place of the one that was chosen. */
export function whyMovedOn(
  visibility: Visibility,
  copy: CirculatingCopy,
  open: OpenLoan | null,
  seen: number | null | undefined,
) {
  if (seen === null || seen === undefined || open?.id === seen) return null
  return open
    ? conflict(
        'ALREADY_LENT',
        `«\u00a0${copy.name}\u00a0» est prêté à ${holderWords(visibility, open)} depuis votre lecture.`,
        {
          loaning: holderFact(visibility, open),
        },
      )
    : conflict('NO_OPEN_LOAN', `«\u00a0${copy.name}\u00a0» n’est plus en prêt.`)
}
