import { type RawBuilder, sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { libraryLocked, lockInLibrary } from '../db/library-lock.ts'

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

/** Behind everybody who waits for the title or may wait again, whatever the clocks of the servers say. */
export const endOfQueue = (reference: number, now: Date) => sql<string>`(
  select greatest(${now.toISOString()}::timestamptz, max(o.queued_at) + interval '1 microsecond')
  from reservations o where o.reference_id = ${reference} and o.status in ('waiting', 'confirmed')
    and o.deleted_at is null and o.fulfilled_by is null)`
