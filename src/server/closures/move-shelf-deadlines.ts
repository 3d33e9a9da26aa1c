import { sql } from 'kysely'

import { nextOpenDay } from '../../domain/open-days.ts'
import { isActive } from '../db/active-reservation.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import { queueLocked } from '../queue/lock-queue.ts'
import { readReservations } from '../queue/reservation-queries.ts'
import { calendarsOf, type Closing, fallsOnClosed } from './closing.ts'

/** What is set aside at a site s until a day when that is closed. */
const deadlinesToMove = (closing: Closing) =>
  sql`reservations v join sites s on s.id = v.site
    where ${isActive} and v.pickup_until is not null and ${fallsOnClosed(sql`v.pickup_until`, closing)}`

export async function countShelfDeadlines(db: Db, closing: Closing): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${deadlinesToMove(closing)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** What is set aside waits until the next open day. */
export async function moveShelfDeadlines(
  trx: Trx,
  closing: Closing,
  exchange: Exchange & { act: number },
): Promise<number> {
  // Queues before reservations, as everybody who decides on one takes them.
  await sql`select ${queueLocked(sql`awaited.reference_id`)}
    from (select distinct v.reference_id from ${deadlinesToMove(closing)} order by 1) awaited`.execute(trx)
  const { rows } = await sql<{ id: number }>`
    select v.id from ${deadlinesToMove(closing)} order by v.id for update of v`.execute(trx)
  const calendarAt = calendarsOf(exchange.openings)
  const kept = await readReservations(
    trx,
    rows.map(({ id }) => id),
    exchange,
  )
  const moves = kept.flatMap((before) => {
    const { site, pickup_until } = before
    if (site === null || pickup_until === null) return []
    const until = nextOpenDay(pickup_until, calendarAt(site))
    return until === pickup_until ? [] : [{ before, after: { ...before, pickup_until: until } }]
  })
  await sql`update reservations v set pickup_until = moved.until
    from unnest(${moves.map(({ after }) => after.id)}::int[], ${moves.map(({ after }) => after.pickup_until)}::date[]) as moved (id, until)
    where v.id = moved.id`.execute(trx)
  await journalEach(
    trx,
    exchange,
    moves.map(({ before, after }) => ({
      action: 'reservations.move_deadline',
      entity: 'reservations',
      entity_id: before.id,
      before,
      after,
    })),
  )
  return moves.length
}
