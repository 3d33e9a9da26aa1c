import { sql } from 'kysely'

import { type Facts, someOf, type Undoable } from '../acts/undoable.ts'
import { journal } from '../http/journal.ts'
import { queueLocked } from './lock-queue.ts'
import { findReservation, getReservation } from './reservation-queries.ts'

/** Shelf deadlines that a closure moved; what else becomes of a reservation is decided one by one. */
export const undoReservations: Undoable = {
  nameOf: ({ reference_name, beneficiary_name }) =>
    [reference_name, beneficiary_name].filter((name) => typeof name === 'string').join(' · '),

  lock: async (trx, ids) => {
    // Queues before reservations, as everybody who decides on one takes them.
    await sql`select ${queueLocked(sql`awaited.reference_id`)} from (
      select distinct reference_id from reservations where id = any(${[...ids]}::int[]) order by 1) awaited`.execute(
      trx,
    )
    return sql`select from reservations where id = any(${[...ids]}::int[]) order by id for update`.execute(
      trx,
    )
  },

  read: async (trx, ids, exchange) => {
    const found = new Map<number, Facts>()
    for (const id of ids) {
      const reservation = await findReservation(trx, id, exchange)
      if (reservation) found.set(id, reservation)
    }
    return found
  },

  own: (facts) => someOf(facts, ['status', 'set_aside_copy', 'pickup_until', 'fulfilled_by']),

  takeAway: () => Promise.resolve(new Map()),

  giveBack: async (trx, { id, before, now }, exchange) => {
    if (now['set_aside_copy'] === null) return 'Plus rien n’est mis de côté pour cette réservation.'
    await trx
      .updateTable('reservations')
      .set({ pickup_until: before['pickup_until'] as string | null })
      .where('id', '=', id)
      .execute()
    await journal(trx, exchange, {
      action: 'reservations.move_back',
      entity: 'reservations',
      entity_id: id,
      before: now,
      after: await getReservation(trx, id, exchange),
    })
    return null
  },

  bringBack: () => Promise.resolve('Une réservation retirée ne se rétablit pas ainsi.'),
}
