import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { lockQueue } from './lock-queue.ts'

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
