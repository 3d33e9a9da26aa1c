import { type RawBuilder, sql } from 'kysely'

import { isActive } from '../library-facts/active-reservation.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal, journalEach } from '../http/journal.ts'
import { queueReservationMails } from '../writing/reservation-mail.ts'
import { lockQueue } from './lock-queue.ts'
import { getReservation, readReservations } from './reservation-queries.ts'

/**
 * The title is gone: nobody waits for it any more, and whoever did is written to. Answers the reservations that were
 * cancelled.
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

/**
 * Whoever a loan had served waits again, at the same place. What somebody else was given meanwhile stays theirs:
 * a copy that is set aside for another, or days of a copy that another has reserved; and no copy that has left the
 * stock is waited for.
 */
export async function takeServiceBack(
  trx: Trx,
  { id, reference }: { id: number; reference: number },
): Promise<void> {
  await lockQueue(trx, reference)
  await sql`
    with again as materialized (
      select v.id,
        exists (
          select from reservations o where o.set_aside_copy = v.set_aside_copy and o.id <> v.id
            and o.status = 'confirmed' and o.deleted_at is null and o.fulfilled_by is null) as is_given,
        exists (
          select from reservations o where o.copy_id = v.copy_id and o.id <> v.id
            and o.status in ('waiting', 'confirmed') and o.deleted_at is null and o.fulfilled_by is null
            and daterange(o.start_date, o.end_date, '[]') && daterange(v.start_date, v.end_date, '[]')
            and v.start_date is not null and o.start_date is not null) as are_taken,
        ${isGone(sql`v.set_aside_copy`)} or exists (
          select from loanings l where l.copy = v.set_aside_copy and l.status = 'in_progress') as kept_is_gone, ${isGone(sql`v.copy_id`)} as wished_is_gone
      from reservations v where v.fulfilled_by = ${id})
    update reservations v set fulfilled_by = null,
      set_aside_copy = case when not (again.is_given or again.kept_is_gone) then v.set_aside_copy end,
      set_aside_at = case when not (again.is_given or again.kept_is_gone) then v.set_aside_at end,
      pickup_until = case when not (again.is_given or again.kept_is_gone) then v.pickup_until end,
      copy_id = case when not (again.are_taken or again.wished_is_gone) then v.copy_id end
    from again where v.id = again.id`.execute(trx)
}

const isGone = (copy: RawBuilder<unknown>) => sql`exists (
  select from copies k where k.id = ${copy} and (k.deleted_at is not null or k.type <> 'Location'))`
