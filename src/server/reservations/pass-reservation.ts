import type { AnswerOf } from '../../contract/endpoint.ts'
import { longestComment, type passReservation as passReservationCall } from '../../contract/reservations.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { lockQueue } from '../queue/lock-queue.ts'
import { findReservation, getReservation, noSuchReservation } from '../queue/reservation-queries.ts'
import { readerElsewhere } from '../visibility/visibility.ts'
import { nextBehind, pickupUntil } from './set-aside.ts'

/** Nobody came: the reservation is cancelled, and its copy kept for whoever comes next, in one go. */
export async function passReservation(
  trx: Trx,
  { params }: VerbInput<typeof passReservationCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof passReservationCall>>> {
  const seen = await findReservation(trx, params.id, exchange)
  if (!seen) return noSuchReservation
  const copy = seen.set_aside_copy
  if (copy !== null) await trx.selectFrom('copies').select('id').where('id', '=', copy).forUpdate().execute()
  await lockQueue(trx, seen.reference_id)
  const before = await findReservation(trx, params.id, exchange)
  if (!before) return noSuchReservation
  if (copy === null || before.set_aside_copy !== copy || before.fulfilled_by !== null) {
    return conflict('WRONG_STATUS', 'Aucun exemplaire n’est mis de côté pour cette réservation.')
  }
  const noted = [before.comment, 'Non retirée.'].filter(Boolean).join(' ')
  // A comment as long as it may be stays as it is, so that it can be saved again.
  const comment = noted.length > longestComment ? before.comment : noted
  await trx
    .updateTable('reservations')
    .set({ status: 'canceled', comment })
    .where('id', '=', before.id)
    .execute()
  const passed = await getReservation(trx, before.id, exchange)
  await journal(trx, exchange, {
    action: 'reservations.canceled',
    entity: 'reservations',
    entity_id: before.id,
    before,
    after: passed,
  })
  const following = await nextBehind(trx, { id: before.id, copy }, exchange)
  if (!following) return done({ passed, next: null })
  const waited = await getReservation(trx, following.id, exchange)
  await trx
    .updateTable('reservations')
    .set({
      status: 'confirmed',
      set_aside_copy: copy,
      set_aside_at: exchange.now.toISOString(),
      pickup_until: pickupUntil(exchange, waited),
    })
    .where('id', '=', waited.id)
    .execute()
  const next = await getReservation(trx, waited.id, exchange)
  await journal(trx, exchange, {
    action: 'reservations.confirmed',
    entity: 'reservations',
    entity_id: next.id,
    before: waited,
    after: next,
  })
  const isOpen = (await findReservation(trx, next.id, exchange)) !== null
  // Somebody must fetch it for them; what was written of them elsewhere is not needed for that.
  const nameless = { beneficiary_info: readerElsewhere, beneficiary_name: readerElsewhere, comment: '' }
  return done({ passed, next: isOpen ? next : { ...next, ...nameless } })
}
