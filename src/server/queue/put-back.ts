import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { lockQueue } from './lock-queue.ts'
import { getReservation } from './reservation-queries.ts'

/** Whoever a copy was set aside for waits again, at the same place, because it was not back after all; the copy is locked. */
export async function putBackFor(trx: Trx, copy: number, exchange: Exchange): Promise<void> {
  const { rows } = await sql<{ id: number; reference_id: number }>`
    select id, reference_id from reservations
    where set_aside_copy = ${copy} and status = 'confirmed' and fulfilled_by is null and deleted_at is null`.execute(
    trx,
  )
  for (const { id, reference_id } of rows) {
    await lockQueue(trx, reference_id)
    const before = await getReservation(trx, id, exchange)
    // Days that were confirmed stay so: any other copy will do.
    await sql`
      update reservations set set_aside_copy = null, set_aside_at = null, pickup_until = null,
        status = case when start_date is null then 'waiting' else status end
      where id = ${id} and set_aside_copy = ${copy}`.execute(trx)
    await journal(trx, exchange, {
      action: before.start_date === null ? 'reservations.waiting' : 'reservations.change',
      entity: 'reservations',
      entity_id: id,
      before,
      after: await getReservation(trx, id, exchange),
    })
  }
}
