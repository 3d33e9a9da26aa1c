import { sql } from 'kysely'

import { isActive } from '../db/active-reservation.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import { queueReservationMails } from '../writing/reservation-mail.ts'
import { lockQueue } from './lock-queue.ts'
import { readReservations } from './reservation-queries.ts'

/**
 * The title is gone: nobody waits for it any more, and whoever did is written to (decision 35 of the
 * specification). Answers the reservations that were cancelled.
 */
export async function cancelReservationsOf(
  trx: Trx,
  reference: number,
  exchange: Exchange,
): Promise<number[]> {
  await lockQueue(trx, reference)
  const { rows } = await sql<{ id: number }>`
    select v.id from reservations v where v.reference_id = ${reference} and ${isActive} order by v.id`.execute(
    trx,
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return ids
  const before = await readReservations(trx, ids, exchange)
  await trx.updateTable('reservations').set({ status: 'canceled' }).where('id', 'in', ids).execute()
  const after = await readReservations(trx, ids, exchange)
  await journalEach(
    trx,
    exchange,
    before.map((one, at) => ({
      action: 'reservations.canceled',
      entity: 'reservations',
      entity_id: one.id,
      before: one,
      after: after[at] ?? null,
    })),
  )
  await queueReservationMails(trx, ids, { template: 'reservation_canceled', comment: titleIsGone }, exchange)
  return ids
}

/** For readers: they did nothing, and nothing else tells them why. */
const titleIsGone = 'Ce titre ne fait plus partie de notre fonds.'
