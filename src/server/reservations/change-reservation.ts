import type { changeReservation as changeReservationCall, Reservation } from '../../contract/reservations.ts'
import { mayBecome, reservationStatuses, type ReservationStatus } from '../../domain/reservation-rules.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome, type Refused } from '../http/outcome.ts'
import { endOfQueue, holdSought, lockQueue } from '../queue/lock-queue.ts'
import { checkSought } from './reservation-facts.ts'
import { findReservation, getReservation, noSuchReservation } from '../queue/reservation-queries.ts'
import { isStillFree, type Keepable, lockCopyInHand, lockCopyOnShelf, pickupUntil } from './set-aside.ts'

type Body = VerbInput<typeof changeReservationCall>['body']

/** Changes what is asked for, or decides on it; the places of the queue follow by themselves. */
export async function changeReservation(
  trx: Trx,
  { params, body }: VerbInput<typeof changeReservationCall>,
  exchange: Exchange,
): Promise<Outcome<Reservation>> {
  const locked = await lockReservation(trx, params.id, body, exchange)
  if (!locked.ok) return locked
  const { before, copy } = locked
  const { status, set_aside_copy: _, version, ...fields } = body
  if (version !== undefined && version !== before.version) {
    return conflict('CHANGED_SINCE', 'Cette réservation a été modifiée depuis que vous l’avez ouverte.')
  }
  const sought = await whatIsSought(trx, before, fields, exchange)
  if (!sought.ok) return sought
  const decided = await decide(trx, { before, copy, set: sought.set }, status, exchange)
  if (!decided.ok) return decided
  const changed = { ...sought.set, ...decided.set }
  if (Object.keys(changed).length === 0) return done(before)
  await trx.updateTable('reservations').set(changed).where('id', '=', before.id).execute()
  const after = await getReservation(trx, before.id, exchange)
  await journal(trx, exchange, {
    action:
      status !== undefined && status !== before.status ? `reservations.${status}` : 'reservations.change',
    entity: 'reservations',
    entity_id: before.id,
    before,
    after,
  })
  return done(after)
}

type Locked = { ok: true; before: Reservation; copy: Keepable | null }

/**
 * Locks the copy that is to be kept, then the queues, then reads again: whoever decided meanwhile came first.
 * Everybody locks copies before queues, or two would wait for each other.
 */
async function lockReservation(
  trx: Trx,
  id: number,
  body: Pick<Body, 'status' | 'set_aside_copy' | 'reference_id' | 'copy_id' | 'beneficiary_id'>,
  exchange: Exchange,
): Promise<Locked | Refused> {
  const seen = await findReservation(trx, id, exchange)
  if (!seen) return noSuchReservation
  await holdSought(trx, {
    reference: body.reference_id,
    copy: body.copy_id,
    beneficiary: body.beneficiary_id,
  })
  let copy: Keepable | null = null
  if (body.status === 'confirmed') {
    if (body.set_aside_copy) {
      const inHand = await lockCopyInHand(trx, body.set_aside_copy, seen, exchange)
      if (!inHand.ok) {
        // It may be this very decision, taken a moment ago on another counter.
        return seen.set_aside_copy === body.set_aside_copy ? alreadySo(seen, 'confirmed') : inHand
      }
      copy = inHand.copy
    } else if (seen.start_date === null) {
      copy = await lockCopyOnShelf(trx, seen, exchange)
    }
  }
  const queues = [seen.reference_id, ...(body.reference_id ? [body.reference_id] : [])]
  for (const queue of [...new Set(queues)].sort((a, b) => a - b)) await lockQueue(trx, queue)
  await trx.selectFrom('reservations').select('id').where('id', '=', id).forUpdate().execute()
  const before = await findReservation(trx, id, exchange)
  if (!before) return noSuchReservation
  if (before.reference_id !== seen.reference_id) {
    return conflict('CHANGED_SINCE', 'Quelqu’un vient de modifier cette réservation\u202f: relisez-la.')
  }
  if (copy === null || (await isStillFree(trx, copy.id))) return { ok: true, before, copy }
  // Somebody kept it for another person while its lock was waited for.
  return body.set_aside_copy
    ? keptForAnother
    : { ok: true, before, copy: await lockCopyOnShelf(trx, before, exchange, true) }
}

const keptForAnother = conflict(
  'COPY_UNAVAILABLE',
  'Cet exemplaire vient d’être mis de côté pour quelqu’un d’autre.',
)

const alreadySo = ({ status }: Pick<Reservation, 'status'>, to: ReservationStatus): Refused =>
  conflict(
    'WRONG_STATUS',
    status === to
      ? `Cette réservation est déjà ${reservationStatuses[to].toLowerCase()}.`
      : `Une réservation ${reservationStatuses[status].toLowerCase()} ne peut pas devenir ${reservationStatuses[to].toLowerCase()}.`,
  )

type Set = { ok: true; set: Record<string, unknown> }

async function whatIsSought(
  trx: Trx,
  before: Reservation,
  { comment, cycle_value, ...asked }: Omit<Body, 'status' | 'set_aside_copy' | 'version'>,
  exchange: Exchange,
): Promise<Set | Refused> {
  const words = differing(before, { comment, cycle_value })
  const wanted = differing(before, asked)
  if (Object.keys(wanted).length === 0) return { ok: true, set: words }
  if (before.fulfilled_by !== null || (before.status !== 'waiting' && before.status !== 'confirmed')) {
    return conflict('WRONG_STATUS', 'Seule une réservation en attente ou confirmée se modifie.')
  }
  const isKept = before.set_aside_copy !== null
  if (isKept && ('reference_id' in wanted || 'beneficiary_id' in wanted || 'copy_id' in wanted)) {
    return conflict(
      'WRONG_STATUS',
      'Un exemplaire est mis de côté pour cette réservation\u202f: remettez-la d’abord en attente.',
    )
  }
  const merged = { ...before, ...wanted }
  const otherTitle = merged.reference_id !== before.reference_id
  const checked = await checkSought(
    trx,
    // A wish is for a copy of its title.
    {
      ...merged,
      isNewTitle: otherTitle,
      copy_id: otherTitle && !('copy_id' in wanted) ? null : merged.copy_id,
    },
    exchange,
  )
  if (!checked.ok) return checked
  const { id: _, isNewTitle: _new, source: _source, ...sought } = checked.sought
  return {
    ok: true,
    set: {
      ...words,
      ...differing(before, sought),
      // Whoever changes the title, or gives up days, joins the end of the queue.
      ...(otherTitle || (before.start_date !== null && sought.start_date === null)
        ? { queued_at: await endOfQueue(trx, sought.reference_id, exchange.now) }
        : {}),
    },
  }
}

const differing = (before: Reservation, fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && before[name as keyof Reservation] !== value,
    ),
  )

async function decide(
  trx: Trx,
  { before, copy, set }: Pick<Locked, 'before' | 'copy'> & { set: Partial<Reservation> },
  status: ReservationStatus | undefined,
  exchange: Exchange,
): Promise<Set | Refused> {
  if (status === undefined) return { ok: true, set: {} }
  if (before.fulfilled_by !== null) {
    return conflict('WRONG_STATUS', 'Un prêt a déjà servi cette réservation.')
  }
  // Confirmed before any copy was there, it gets the one that came.
  const isKeptNow =
    status === 'confirmed' && before.status === 'confirmed' && before.set_aside_copy === null && copy !== null
  if (!isKeptNow && !mayBecome(before.status, status)) return alreadySo(before, status)
  const isTakenUp = status === 'waiting' && before.status !== 'confirmed'
  if (isTakenUp) {
    // Its days, or the person's only reservation of the title, may have gone to another meanwhile.
    const checked = await checkSought(trx, { ...before, isNewTitle: false }, exchange)
    if (!checked.ok) return checked
  }
  const now = exchange.now.toISOString()
  return {
    ok: true,
    set: {
      status,
      ...(status === 'confirmed' && copy
        ? {
            set_aside_copy: copy.id,
            set_aside_at: now,
            pickup_until: pickupUntil(exchange, { ...before, ...set }),
          }
        : {}),
      // Taken up again after it was closed, it stands at the end of the queue.
      ...(isTakenUp ? { queued_at: await endOfQueue(trx, before.reference_id, exchange.now) } : {}),
    },
  }
}
