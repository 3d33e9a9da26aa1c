import type { addReservation as addReservationCall, Reservation } from '../../contract/reservations.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { endOfQueue, holdSought, lockQueue } from '../queue/lock-queue.ts'
import { checkSought } from './reservation-facts.ts'
import { getReservation } from '../queue/reservation-queries.ts'

/** Reserves days of a title or of a copy, else a place at the end of the title's queue. */
export async function addReservation(
  trx: Trx,
  { body }: VerbInput<typeof addReservationCall>,
  exchange: Exchange,
): Promise<Outcome<Reservation>> {
  await holdSought(trx, {
    reference: body.reference_id,
    copy: body.copy_id,
    beneficiary: body.beneficiary_id,
  })
  await lockQueue(trx, body.reference_id)
  const checked = await checkSought(
    trx,
    {
      id: null,
      isNewTitle: true,
      beneficiary_id: body.beneficiary_id,
      reference_id: body.reference_id,
      copy_id: body.copy_id ?? null,
      start_date: body.start_date ?? null,
      end_date: body.end_date ?? null,
      site: body.site ?? null,
      source: body.source ?? 'media',
    },
    exchange,
  )
  if (!checked.ok) return checked
  const { id: _, isNewTitle: _new, ...sought } = checked.sought
  const now = exchange.now.toISOString()
  const { id } = await trx
    .insertInto('reservations')
    .values({
      ...sought,
      reservation_date: now,
      queued_at: endOfQueue(sought.reference_id, exchange.now),
      comment: body.comment ?? '',
      cycle_value: body.cycle_value ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const after = await getReservation(trx, id, exchange)
  await journal(trx, exchange, {
    action: 'reservations.add',
    entity: 'reservations',
    entity_id: id,
    after,
  })
  return done(after)
}
