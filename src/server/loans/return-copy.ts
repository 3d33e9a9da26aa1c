import { type RawBuilder, sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type {
  findLentCopy as findLentCopyCall,
  returnCopy as returnCopyCall,
  returnLoan as returnLoanCall,
} from '../../contract/returns.ts'
import { notOnLoan, standingOf } from '../../domain/copy-obstacles.ts'
import { type CalendarUnit, isLate, penaltyOf } from '../../domain/loan-rules.ts'
import type { Money } from '../../domain/money.ts'
import { calendarOf } from '../../domain/open-days.ts'
import { nextToServe } from '../../domain/reservation-rules.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Decision } from '../http/decision.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalled } from '../http/journal.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { noCopyCarries } from './by-code.ts'
import { noSuchLoan } from './change-loan.ts'
import {
  copyByBarCode,
  lockCopyByBarCodeAhead,
  lockCopyOfLoanAhead,
  type OpenLoan,
  openLoanOf,
  reservationsOfCopy,
  type WaitingReservation,
  waitingReservations,
} from './circulating-copy.ts'
import { happenedAt } from './happened-at.ts'
import { dressedLoans, findLoan, loanColumns, loanOf, type LoanRow } from './loan-rows.ts'
import {
  holderFact,
  holderWords,
  isLoanVisible,
  lastLoanFact,
  loanFact,
  loanWords,
  type ReturnNotes,
  type StoredLoan,
  serializeAwaiting,
  serializeLoan,
  serializeReturn,
  waiterWords,
} from './serialize-loan.ts'

type Beside = {
  home_site: number
  home_site_name: string
  waiting: WaitingReservation[]
  penalty_enabled: boolean
  unit_penalty: Money | null
  penalty_duration_type: CalendarUnit | null
}
type ClosingFacts = Beside & { loan: StoredLoan }

async function readFacts(
  trx: Trx,
  condition: RawBuilder<unknown>,
  today: string,
): Promise<ClosingFacts | null> {
  const { rows } = await sql<LoanRow & Beside>`
    select ${loanColumns}, c.site as home_site, (select s.name from sites s where s.id = c.site) as home_site_name,
      coalesce((select json_agg(w) from (${waitingReservations}) w), '[]') as waiting,
      coalesce(rules.penalty_enabled, false) as penalty_enabled, rules.penalty_amount as unit_penalty,
      rules.penalty_duration_type
    from ${dressedLoans} left join media rules on rules.id = r.medium
    where ${condition} and l.deleted_at is null`.execute(trx)
  const [row] = rows
  if (!row) return null
  const {
    home_site,
    home_site_name,
    waiting,
    penalty_enabled,
    unit_penalty,
    penalty_duration_type,
    ...loan
  } = row
  return {
    loan: loanOf(loan, today),
    home_site,
    home_site_name,
    waiting,
    penalty_enabled,
    unit_penalty,
    penalty_duration_type,
  }
}

/** The loan with what closing it needs, or null; lock its copy first. */
const closingFacts = (trx: Trx, id: number, today: string) => readFacts(trx, sql`l.id = ${id}`, today)

type Copy = number | RawBuilder<unknown>

const closingFactsOfOpen = (trx: Trx, copy: Copy, today: string) =>
  readFacts(trx, sql`l.copy = ${copy} and l.status = 'in_progress'`, today)

/** The same for the loan that a device made under this key. */
const closingFactsOfKey = (trx: Trx, copy: Copy, loan_key: string, today: string) =>
  readFacts(trx, sql`l.copy = ${copy} and l.loan_key = ${loan_key}`, today)

/** Closes the loan in the address; one of a closed site comes back by its copy's bar code only. */
export async function returnLoan(
  trx: Trx,
  { params, body }: VerbInput<typeof returnLoanCall>,
  exchange: Exchange,
): Promise<Outcome<Decision<AnswerOf<typeof returnLoanCall>>>> {
  const locked = await lockCopyOfLoanAhead(trx, params.id)
  const facts = await closingFacts(trx, params.id, exchange.today)
  if (!(await locked.copy()) || !facts || !isSiteOpen(exchange.visibility, facts.loan.site)) return noSuchLoan
  const since = facts.loan.status === 'finished' ? await openLoanOf(trx, facts.loan.copy) : null
  const closed = closeLoan(trx, facts, body, exchange, since)
  if (!closed.ok) return closed
  const { after, notes, writes } = closed.answer
  return done({ answer: { ...serializeLoan(exchange.visibility, after), ...notes }, writes })
}

/** Closes the open loan of the copy on the counter, of any site: a copy that came back is always taken. */
export async function returnCopy(
  trx: Trx,
  { body }: VerbInput<typeof returnCopyCall>,
  exchange: Exchange,
): Promise<Outcome<Decision<AnswerOf<typeof returnCopyCall>>>> {
  const closed = await closeLoanOfCopy(trx, body, exchange)
  if (!closed.ok) return closed
  const { after, notes, writes } = closed.answer
  return done({ answer: serializeReturn(exchange.visibility, after, notes), writes })
}

/** Tells no more of a closed site's copy than its return would. */
export async function findLentCopy(
  db: Db,
  { query }: VerbInput<typeof findLentCopyCall>,
): Promise<Outcome<AnswerOf<typeof findLentCopyCall>>> {
  const copy = await db
    .selectFrom('copies')
    .innerJoin('references', 'references.id', 'copies.reference')
    .innerJoin('sites', 'sites.id', 'copies.site')
    .select(['copies.bar_code', 'references.name', 'sites.name as site_name'])
    .where('copies.id', '=', sql<number>`${copyByBarCode(query.bar_code)}`)
    .where(
      sql<boolean>`exists (select from loanings l where l.copy = copies.id and l.status = 'in_progress')`,
    )
    .executeTakeFirst()
  return done({ copy: copy ?? null })
}

async function closeLoanOfCopy(
  trx: Trx,
  body: VerbInput<typeof returnCopyCall>['body'],
  exchange: Exchange,
): Promise<Outcome<Closed>> {
  const { visibility, today } = exchange
  const { bar_code, loan_key } = body
  const facts = (copy: Parameters<typeof closingFactsOfOpen>[1]) =>
    loan_key === undefined
      ? closingFactsOfOpen(trx, copy, today)
      : // A device returns the very loan it made: when that one was refused, another reader's must stay open.
        closingFactsOfKey(trx, copy, loan_key, today)
  const locked = await lockCopyByBarCodeAhead(trx, bar_code)
  const found = await facts(copyByBarCode(bar_code))
  const copy = await locked.copy()
  if (!copy) return noCopyCarries(bar_code)
  // Another copy may have got the code meanwhile.
  const closing = found && (found.loan.copy === copy.id ? found : await facts(copy.id))
  if (closing) return closeLoan(trx, closing, body, exchange)
  if (loan_key === undefined) {
    const waiting = await reservationsOfCopy(trx, copy.id)
    const standing = standingOf(copy, waiting, (one) => waiterWords(visibility, one))
    return conflict('NO_OPEN_LOAN', notOnLoan(copy.name, standing), {
      last_loaning: lastLoanFact(visibility, await lastLoanOf(trx, copy.id, today)),
    })
  }
  const open = await openLoanOf(trx, copy.id)
  return conflict(
    'LOAN_NOT_MADE',
    `Le prêt de «\u00a0${copy.name}\u00a0» que ce retour devait clore n’a pas été enregistré.`,
    {
      loaning: open && holderFact(visibility, open),
    },
  )
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

type Closed = {
  after: StoredLoan
  notes: ReturnNotes
  writes: Decision<StoredLoan>['writes']
}

/** `since` has the copy of a loan that is closed already. */
function closeLoan(
  trx: Trx,
  { loan: before, ...facts }: ClosingFacts,
  body: VerbInput<typeof returnLoanCall>['body'],
  exchange: Exchange,
  since: OpenLoan | null = null,
): Outcome<Closed> {
  const happened = happenedAt(exchange, body.occurred_at)
  if (!happened.ok) return happened
  const { at, day, received_at } = happened.answer
  if (before.status === 'finished') {
    const became =
      since && isLoanVisible(exchange.visibility, before)
        ? `a été rendu et prêté à ${holderWords(exchange.visibility, since)} depuis`
        : 'est déjà rendu'
    return conflict('ALREADY_RETURNED', `${loanWords(exchange.visibility, before)} ${became}.`, {
      loaning: loanFact(exchange.visibility, before),
    })
  }
  if (before.status === 'cancelled') {
    return conflict(
      'LOAN_CANCELLED',
      `${loanWords(exchange.visibility, before, 'Le prêt de ')} a été annulé.`,
      {
        loaning: loanFact(exchange.visibility, before),
      },
    )
  }
  // A call that says no hour happens now, whatever the clocks of two machines are.
  const saysWhen = (body.occurred_at ?? exchange.occurred_at) !== undefined
  if (at < before.lent_at && saysWhen) {
    return conflict(
      'NEWER_LOAN',
      `«\u00a0${before.reference_name}\u00a0» a été prêté de nouveau après ce retour.`,
      {
        loaning: loanFact(exchange.visibility, before),
      },
    )
  }

  const return_date = day < before.start_date ? before.start_date : day
  const { parameters } = exchange
  const rule = {
    grace_days: parameters.number('delay_days_number_before_penalize'),
    open_days_only: parameters.flag('penalty_open_days_only'),
  }
  const penalty =
    body.penalty === false
      ? null
      : penaltyOf(
          { end_date: before.end_date, return_date },
          rule,
          { ...facts, penalty_amount: facts.unit_penalty },
          calendarOf(exchange.openings, before.site),
        )
  const kept = {
    status: 'finished',
    return_date,
    return_comment: body.return_comment ?? '',
    state: body.state ?? null,
    ...penalty,
    returned_at: at,
  } as const
  const state = body.state ?? before.copy_state
  const after: StoredLoan = {
    ...before,
    ...kept,
    copy_state: state,
    returned_by: exchange.caller.name,
    islate: isLate({ end_date: before.end_date, return_date }, exchange.today),
    penalty: penalty && { total: penalty.penalty_amount },
  }
  const closing = trx
    .updateTable('loanings')
    .set({
      ...kept,
      state_before_return: before.copy_state,
      returned_by: exchange.caller.user_id,
      returned_received_at: received_at,
      returned_device: body.device_id ?? null,
    })
    .where('id', '=', before.id)
  const shelving = trx
    .updateTable('copies')
    .set({ state, status: state === 'UNUSABLE' ? 'Non Disponible' : 'Disponible' })
    .where('id', '=', before.copy)
  const journal = journalled(trx, exchange, {
    action: 'loan.return',
    entity: 'loanings',
    entity_id: before.id,
    before,
    after,
    device_id: body.device_id,
  })
  const awaiting = nextToServe(facts.waiting, before.copy, return_date)
  const { home_site: id, home_site_name: name } = facts
  const isHome = exchange.site === null ? isSiteOpen(exchange.visibility, id) : exchange.site === id
  return done({
    after,
    notes: {
      ...(awaiting
        ? {
            reservation_reference: before.reference,
            awaited_by: serializeAwaiting(exchange.visibility, awaiting),
          }
        : {}),
      ...(isHome ? {} : { home_site: { id, name } }),
    },
    writes: [closing, shelving, journal],
  })
}
