import type { AnswerOf } from '../../contract/endpoint.ts'
import type { lendCopy as lendCopyCall } from '../../contract/loans.ts'
import { daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { defaultDuration, dueOn, loanAmount } from '../../domain/loan-rules.ts'
import type { Trx } from '../db/environment.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, forbidden, type Outcome, violation, violations } from '../http/outcome.ts'
import { journal } from '../journal.ts'
import { type CirculatingCopy, lockCopyById, openLoanOf, waitingReservations } from './circulating-copy.ts'
import { refusalsFor } from './eligibility.ts'
import { happenedAt } from './happened-at.ts'
import { getLoan } from './loan-queries.ts'

/** Loans are dated within a year of today, and end within ten. */
const furthestStartDays = 366
const longestLoanDays = 3660

type Lend = VerbInput<typeof lendCopyCall>['body']

/** Lends a copy; refusals say who has it, who waits for it or why the reader may not borrow. */
export async function lendCopy(
  trx: Trx,
  { body }: { body: Lend },
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof lendCopyCall>>> {
  const happened = happenedAt(exchange, body.occurred_at)
  if (!happened.ok) return happened
  const { at, day, received_at } = happened.answer

  const copy = await lockCopyById(trx, body.copy)
  if (!copy) return violation('copy', 'Cet exemplaire n’existe pas.')
  const unavailable = await whyUnavailable(trx, copy, body.beneficiary)
  if (unavailable) return unavailable

  // Locked, so that two counters cannot both take a reader's last allowed loan.
  const reader = await trx
    .selectFrom('beneficiaries')
    .select('id')
    .where('id', '=', body.beneficiary)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!reader) return violation('beneficiary', 'Ce bénéficiaire n’existe pas.')

  const unlinked = await whyUnlinked(trx, body)
  if (unlinked) return unlinked

  const start_date = body.start_date ?? day
  if (Math.abs(daysBetween(exchange.today, start_date)) > furthestStartDays) {
    return violation('start_date', 'La date de début est à plus d’un an d’aujourd’hui.')
  }
  const usual = defaultDuration(copy)
  const duration = {
    duration_value: body.duration_value ?? usual.duration_value,
    duration_type: body.duration_type ?? usual.duration_type,
  }
  const dueByRules = dueOn(start_date, duration, copy, copy.end_day)
  const end_date = body.expected_return_date ?? dueByRules
  if (end_date < start_date || daysBetween(start_date, end_date) > longestLoanDays) {
    return violation(
      body.expected_return_date ? 'expected_return_date' : 'duration_value',
      `Le retour prévu, le ${frenchDay(end_date)}, n’est pas possible.`,
    )
  }

  const refusals =
    (await refusalsFor(trx, { beneficiary: reader.id, medium: copy.medium, start_date }, exchange.today)) ??
    []
  if (refusals.length > 0) {
    if (body.override_reason === undefined) {
      return violations(
        refusals.map(({ message }) => ({ propertyPath: 'beneficiary', message })),
        'NOT_ELIGIBLE',
        // What a choice before this refusal is held to.
        { copy: copy.id, beneficiary: reader.id },
      )
    }
    if (!exchange.caller.rights.has('LOANING_OVERRIDE')) {
      return forbidden('Vous n’avez pas le droit de prêter malgré un refus.')
    }
  }

  const waiting = await waitingReservations(trx, copy)
  // A reservation for other days is neither served by this loan nor in its way.
  const isForTheseDays = (reservation: { start_date: string | null; end_date: string | null }) =>
    reservation.start_date === null ||
    (reservation.start_date <= end_date && (reservation.end_date ?? '') >= start_date)
  const own = waiting.find(
    (reservation) => reservation.beneficiary_id === reader.id && isForTheseDays(reservation),
  )
  // Whoever comes before the reader, or holds the copy for days that this loan would take.
  const others = waiting.filter(
    (reservation) =>
      reservation.beneficiary_id !== reader.id &&
      isForTheseDays(reservation) &&
      (reservation.start_date !== null ||
        own === undefined ||
        (reservation.queue_position ?? 0) < (own.queue_position ?? Infinity)),
  )
  if (others.length > 0 && body.despite_reservations === false) {
    return conflict('RESERVED', 'Cet exemplaire est sujet à réservations', { reservations: others })
  }

  const free = body.free ?? false
  const { id } = await trx
    .insertInto('loanings')
    .values({
      loan_key: exchange.key,
      beneficiary: reader.id,
      relative: body.relative ?? null,
      copy: copy.id,
      site: exchange.site ?? copy.site,
      start_date,
      end_date,
      ...duration,
      amount: free ? '0.00' : (body.amount ?? loanAmount(copy.price, duration.duration_value, free)),
      free,
      free_reason: body.free_reason ?? null,
      comment: body.comment ?? '',
      override_reason: refusals.length > 0 ? (body.override_reason ?? null) : null,
      end_date_flagged: end_date !== dueByRules,
      lent_by: exchange.caller.user_id,
      lent_at: at,
      lent_received_at: received_at,
      lent_device: body.device_id ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx.updateTable('copies').set({ status: 'En Location' }).where('id', '=', copy.id).execute()
  if (own) {
    await trx.updateTable('reservations').set({ fulfilled_by: id }).where('id', '=', own.id).execute()
  }
  const loan = await getLoan(trx, id, exchange.today)
  await journal(trx, exchange, {
    action: 'loan.lend',
    entity: 'loanings',
    entity_id: id,
    after: { ...loan, refusals, reservations_passed: others.map((reservation) => reservation.id) },
    device_id: body.device_id,
  })
  return done(loan)
}

async function whyUnavailable(trx: Trx, copy: CirculatingCopy, beneficiary: number) {
  if (copy.deleted)
    return conflict('COPY_WITHDRAWN', `«\u00a0${copy.name}\u00a0» a été retiré du catalogue.`, { copy })
  const loaning = copy.status === 'En Location' ? await openLoanOf(trx, copy.id) : null
  if (loaning?.beneficiary === beneficiary) {
    return conflict(
      'ALREADY_LENT_TO_SAME',
      `«\u00a0${copy.name}\u00a0» est déjà prêté à ${loaning.beneficiary_info}.`,
      { loaning },
    )
  }
  if (loaning) {
    return conflict(
      'ALREADY_LENT',
      `«\u00a0${copy.name}\u00a0» est déjà prêté à ${loaning.beneficiary_info}, depuis le ${frenchDay(loaning.start_date)}.`,
      { loaning },
    )
  }
  if (copy.status !== 'Disponible') {
    return conflict('COPY_UNAVAILABLE', `«\u00a0${copy.name}\u00a0» n’est pas disponible (${copy.status}).`, {
      status: copy.status,
    })
  }
  if (copy.type !== 'Location')
    return violation('copy', `«\u00a0${copy.name}\u00a0» se vend et ne se prête pas.`)
  return null
}

async function whyUnlinked(trx: Trx, { beneficiary, relative, free, free_reason }: Lend) {
  if (relative) {
    const found = await trx
      .selectFrom('relatives')
      .select('id')
      .where('id', '=', relative)
      .where('beneficiary', '=', beneficiary)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!found) return violation('relative', 'Ce proche n’est pas celui du bénéficiaire.')
  }
  if (free_reason) {
    if (!free) return violation('free_reason', 'Un motif de gratuité demande un prêt gratuit.')
    const found = await trx
      .selectFrom('reasons')
      .select('id')
      .where('id', '=', free_reason)
      .where('type', '=', 'free')
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!found) return violation('free_reason', 'Ce motif de gratuité n’existe pas.')
  }
  return null
}
