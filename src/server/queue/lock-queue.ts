import { type RawBuilder, sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { libraryLocked, lockInLibrary } from '../db/library-lock.ts'

/**
 * A copy that is withdrawn, sold or put up for sale serves nobody any more: wishes and days for it become those of
 * its title, also of what is closed and may be taken up again, and whoever it was kept for is promised another.
 */
export async function releaseCopy(trx: Trx, copy: { id: number; reference: number }): Promise<void> {
  await lockQueue(trx, copy.reference)
  await sql`
    update reservations set copy_id = nullif(copy_id, ${copy.id}),
      set_aside_copy = nullif(set_aside_copy, ${copy.id}),
      set_aside_at = case when set_aside_copy = ${copy.id} then null else set_aside_at end,
      pickup_until = case when set_aside_copy = ${copy.id} then null else pickup_until end
    where (copy_id = ${copy.id} or set_aside_copy = ${copy.id}) and deleted_at is null
      and fulfilled_by is null`.execute(trx)
}

/** In a statement that locks more: for a title's queue, after copies and readers, before reservations. */
export const queueLocked = (reference: RawBuilder<unknown>) => libraryLocked('queue', reference)

/** Until the transaction ends nobody else changes who waits for the title, or sees it half changed. */
export async function lockQueue(trx: Trx, reference: number): Promise<void> {
  await lockInLibrary(trx, 'queue', reference)
}

/**
 * What a reservation will refer to, held before its queue as everybody does: whoever withdraws a title or a copy, or
 * erases a reader, locks that first and the queue after, and two would wait for each other.
 */
export async function holdSought(trx: Trx, { reference, copy, beneficiary }: Sought): Promise<void> {
  if (reference) await sql`select from "references" where id = ${reference} for key share`.execute(trx)
  if (copy) await sql`select from copies where id = ${copy} for key share`.execute(trx)
  if (beneficiary) await holdReader(trx, beneficiary)
}

type Sought = {
  reference: number | undefined
  copy: number | null | undefined
  beneficiary: number | undefined
}

/** Nobody erases them before what is written of them stands; read them after, as this statement sees no news. */
export const holdReader = (trx: Trx, id: number) =>
  sql`select from beneficiaries where id = ${id} for key share`.execute(trx)

/** Behind everybody who waits for the title or may wait again, whatever the clocks of the servers say; its queue is locked. */
export async function endOfQueue(trx: Trx, reference: number, now: Date): Promise<string> {
  const { rows } = await sql<{ end: string }>`
    select greatest(${now.toISOString()}::timestamptz, max(o.queued_at) + interval '1 microsecond')::text as end
    from reservations o where o.reference_id = ${reference} and o.status in ('waiting', 'confirmed')
      and o.deleted_at is null and o.fulfilled_by is null`.execute(trx)
  return rows[0]?.end ?? now.toISOString()
}
