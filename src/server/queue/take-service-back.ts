import { type RawBuilder, sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { lockQueue } from './lock-queue.ts'

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
