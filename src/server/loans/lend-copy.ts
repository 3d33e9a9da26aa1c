import type { AnswerOf } from '../../contract/endpoint.ts'
import type { lendCopy as lendCopyCall } from '../../contract/loans.ts'
import {
  alreadyLent,
  notAvailable,
  notForLoan,
  obstacleToLend,
  withdrawnFromStock,
} from '../../domain/copy-obstacles.ts'
import { ageBandOf } from '../../domain/age-bands.ts'
import { daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { isLate, loanAmount, longestLoanDays } from '../../domain/loan-rules.ts'
import { copyFreed, ownReservation, reservationsBefore } from '../../domain/reservation-rules.ts'
import { copyReserved } from '../../domain/sentences/counter.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Decision } from '../http/decision.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, type Outcome, violation } from '../http/outcome.ts'
import { journalled } from '../http/journal.ts'
import { isReaderOpen, isSiteOpen, type Visibility } from '../visibility/visibility.ts'
import {
  copyFact,
  holderFact,
  holderWords,
  reservationFacts,
  type StoredLoan,
  serializeLoan,
} from './serialize-loan.ts'
import { foundByCode, type Lend } from './by-code.ts'
import { type CirculatingCopy, type OpenLoan, openLoanOf } from './circulating-copy.ts'
import { refusalsOf } from './eligibility.ts'
import { happenedAt } from './happened-at.ts'
import { lendTerms } from './lend-terms.ts'
import { type LendingFacts, lendingFacts, lockToLend } from './lending-facts.ts'
import { outOfService, siteOfLoan } from './site-of-loan.ts'
import { boundsPassed, objectionsOf, unlessOverridden } from './why-beyond.ts'

/** The furthest start of a loan, whatever the motive. */
const furthestStartDays = 366

/** Lends a copy; refusals say who has it, who waits for it or why the reader may not borrow. */
export async function lendCopy(
  trx: Trx,
  { body: asked }: { body: VerbInput<typeof lendCopyCall>['body'] },
  exchange: Exchange,
): Promise<Outcome<Decision<AnswerOf<typeof lendCopyCall>>>> {
  const happened = happenedAt(exchange, asked.occurred_at)
  if (!happened.ok) return happened
  const { at, day, received_at } = happened.answer
  const found = await foundByCode(trx, asked, exchange)
  if (!found.ok) return found
  const body = found.answer

  await lockToLend(trx, body)
  const facts = await lendingFacts(trx, body, exchange.today)
  if (!facts) return violation('copy', 'Cet exemplaire n’existe pas.')
  const { reader } = facts
  // Before the copy's loan is looked at, because who has it is not for guessing.
  if (reader !== null && !isReaderOpen(exchange.visibility, facts.agency_id)) return noSuchReader
  const unavailable = await whyUnavailable(trx, facts, body.beneficiary, exchange.visibility)
  if (unavailable) return unavailable
  if (reader === null) return noSuchReader
  const site = siteOfLoan(facts, exchange)
  const closed = facts.out_of_service.find(({ id }) => id === site)
  if (closed) return outOfService(closed.name, 'prête')
  const unlinked = whyUnlinked(body, facts)
  if (unlinked) return unlinked

  const { start_date, duration, dueByRules, end_date, endField, beyond } = lendTerms(
    body,
    facts,
    day,
    exchange,
  )
  if (Math.abs(daysBetween(exchange.today, start_date)) > furthestStartDays) {
    return violation('start_date', 'La date de début est à plus d’un an d’aujourd’hui.')
  }
  if (end_date < start_date || daysBetween(start_date, end_date) > longestLoanDays) {
    return violation(endField, `Le retour prévu, le ${frenchDay(end_date)}, n’est pas possible.`)
  }

  const refusals = refusalsOf(facts, start_date)
  // Whoever passes over one of them with a motive was told of all.
  const objections = [
    ...objectionsOf(beyond, endField),
    ...refusals.map(({ message }) => ({ propertyPath: 'beneficiary', message })),
  ]
  // A later choice must be about this copy and this reader.
  const held = { copy: facts.id, beneficiary: reader }
  const refused = unlessOverridden(objections, body, exchange, {
    reason: beyond.length > 0 ? 'BEYOND_BOUNDS' : 'NOT_ELIGIBLE',
    facts: { ...held, ...boundsPassed(beyond) },
  })
  if (refused) return refused

  const sought = { reader, copy: facts.id, start_date, end_date }
  const own = ownReservation(facts.waiting, sought)
  const others = reservationsBefore(facts.waiting, sought, facts.capacity)
  if (others.length > 0 && !body.despite_reservations) {
    return conflict('RESERVED', copyReserved, {
      reservations: reservationFacts(exchange.visibility, others),
    })
  }

  const { id: copy, loan: id } = facts
  if (id === null) throw new Error(`no number for a loan of copy ${copy}, which is to be had`)
  const free = body.free ?? false
  const kept = {
    id,
    beneficiary: reader,
    copy,
    site,
    start_date,
    end_date,
    ...duration,
    amount: free ? '0.00' : (body.amount ?? loanAmount(facts.price, duration.duration_value, free)),
    free,
    comment: body.comment ?? '',
    override_reason: objections.length > 0 ? (body.override_reason ?? null) : null,
    end_date_flagged: end_date !== dueByRules,
    ...conditionsOf(facts, body),
    reminded_on: null,
    lent_at: at,
  }
  const { relative = null, free_reason = null } = body
  const loan: StoredLoan = {
    ...kept,
    beneficiary_info: facts.beneficiary_info,
    beneficiary_name: facts.beneficiary_name,
    agency_id: facts.agency_id,
    relative: relative === null ? null : { id: relative, name: facts.relative_name ?? '' },
    copy_barcode: facts.bar_code,
    copy_state: facts.state,
    reference: facts.reference,
    reference_name: facts.name,
    category: facts.category,
    medium: facts.medium_name,
    image_path: facts.image_path,
    free_reason: free_reason === null ? null : { id: free_reason, name: facts.free_reason_name ?? '' },
    lent_by: exchange.caller.name,
    islate: isLate({ end_date, return_date: null }, exchange.today),
    expected_return_date: end_date,
    ...notReturned,
  }
  const journal = journalled(trx, exchange, {
    action: 'loan.lend',
    entity: 'loanings',
    entity_id: id,
    after: {
      ...loan,
      refusals,
      ...boundsPassed(beyond),
      reservations_passed: others.map((reservation) => reservation.id),
    },
    device_id: body.device_id,
  })
  const lending = trx.insertInto('loanings').values({
    ...kept,
    loan_key: exchange.key,
    relative,
    free_reason,
    age_band: ageBandOf(facts, start_date),
    audience: facts.audience,
    lent_by: exchange.caller.user_id,
    lent_received_at: received_at,
    lent_device: body.device_id ?? null,
  })
  const leaving = trx.updateTable('copies').set({ status: 'En Location' }).where('id', '=', copy)
  const freed_copy = await visibleFreed(trx, copyFreed(own, copy), exchange.visibility)
  const served = own && trx.updateTable('reservations').set({ fulfilled_by: id }).where('id', '=', own.id)
  return done({
    answer: { ...serializeLoan(exchange.visibility, loan), ...(freed_copy ? { freed_copy } : {}) },
    writes: [lending, leaving, ...(served ? [served] : []), journal],
  })
}

/** What the person at the counter can see to. */
async function visibleFreed(trx: Trx, id: number | null, visibility: Visibility) {
  if (id === null) return undefined
  const { site, bar_code } = await trx
    .selectFrom('copies')
    .select(['site', 'bar_code'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return isSiteOpen(visibility, site) ? { id, bar_code } : undefined
}

const notReturned = {
  status: 'in_progress',
  return_date: null,
  return_comment: '',
  state: null,
  delay_reason: null,
  delay_comment: '',
  penalty_count: null,
  penalty_duration: null,
  penalty_amount: null,
  penalty: null,
  returned_at: null,
  returned_by: null,
} as const

/** What was shown or handed over stays what it was, whatever the medium says later. */
const conditionsOf = (
  { has_conditions, conditions_label, conditions_version }: CirculatingCopy,
  { conditions_given = false }: Lend,
) =>
  has_conditions
    ? { conditions_given, conditions_label, conditions_version }
    : { conditions_given: null, conditions_label: null, conditions_version: null }

const noSuchReader = violation('beneficiary', 'Ce lecteur n’existe pas.')

async function whyUnavailable(trx: Trx, copy: CirculatingCopy, beneficiary: number, visibility: Visibility) {
  const isOut = !copy.deleted && copy.status === 'En Location'
  const obstacle = obstacleToLend(copy, isOut ? await openLoanOf(trx, copy.id) : null)
  if (!obstacle) return null
  switch (obstacle.is) {
    case 'withdrawn':
      return conflict('COPY_WITHDRAWN', withdrawnFromStock(copy.name), { copy: copyFact(visibility, copy) })
    case 'lent': {
      const { loan } = obstacle
      const isTheirs = loan.beneficiary === beneficiary
      const to = `${holderWords(visibility, loan)}${isTheirs ? '' : sinceWhen(visibility, loan)}`
      return conflict(isTheirs ? 'ALREADY_LENT_TO_SAME' : 'ALREADY_LENT', alreadyLent(copy.name, to), {
        loaning: holderFact(visibility, loan),
      })
    }
    case 'unavailable': {
      const { status } = obstacle
      return conflict('COPY_UNAVAILABLE', notAvailable(copy.name, status), { status })
    }
    case 'for-sale':
      return violation('copy', notForLoan(copy.name))
  }
}

const sinceWhen = (visibility: Visibility, { site, start_date }: OpenLoan): string =>
  isSiteOpen(visibility, site) ? `, depuis le ${frenchDay(start_date)}` : ''

function whyUnlinked(
  { relative, free, free_reason }: Lend,
  { relative_name, free_reason_name }: LendingFacts,
) {
  if (relative && relative_name === null)
    return violation('relative', 'Ce proche n’est pas celui du lecteur.')
  if (!free_reason) return null
  if (!free) return violation('free_reason', 'Un motif de gratuité demande un prêt gratuit.')
  return free_reason_name === null ? violation('free_reason', 'Ce motif de gratuité n’existe pas.') : null
}
