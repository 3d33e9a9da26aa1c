import type { removeReservation as removeReservationCall } from '../../contract/reservations.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome } from '../http/outcome.ts'
import { lockQueue } from '../queue/lock-queue.ts'
import { findReservation, noSuchReservation } from '../queue/reservation-queries.ts'

/** Hides a reservation that was made by mistake; what a loan has served is history. */
export async function removeReservation(
  trx: Trx,
  { params }: VerbInput<typeof removeReservationCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const seen = await findReservation(trx, params.id, exchange)
  if (!seen) return noSuchReservation
  await lockQueue(trx, seen.reference_id)
  const before = await findReservation(trx, params.id, exchange)
  if (!before) return noSuchReservation
  if (before.fulfilled_by !== null) {
    return conflict('WRONG_STATUS', 'Un prêt a servi cette réservation\u202f: elle ne se supprime plus.')
  }
  await trx
    .updateTable('reservations')
    .set({ deleted_at: exchange.now.toISOString() })
    .where('id', '=', before.id)
    .execute()
  await journal(trx, exchange, {
    action: 'reservations.remove',
    entity: 'reservations',
    entity_id: before.id,
    before,
  })
  return done(null)
}
