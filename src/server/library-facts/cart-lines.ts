import { type RawBuilder, sql } from 'kysely'

import type { Trx } from '../db/handles.ts'

// Lines of the cart of what is to be weeded, which come back where a withdrawal is undone.

/** Lines into the cart again, but for a copy that somebody has put there meanwhile. */
export async function putBack(trx: Trx, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update weeding_lines k set weeding = null where k.weeding is not null and ${which}
      and not exists (select from weeding_lines o where o.copy = k.copy and o.weeding is null)`.execute(trx)
}

/** A copy that comes back after the rest of its weeding, which an undoing before this one has put into the cart again. */
export async function putBackLate(
  trx: Trx,
  copy: number,
  { act, now }: { act?: number; now: Date },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select g.id from acts undoing join weedings g on g.act = undoing.undoes
    where undoing.id = ${act ?? null} and exists (
      select from audit_journal j join acts earlier on earlier.id = j.act and earlier.undoes = g.act
      where j.entity = 'weeding' and j.entity_id = g.id)`.execute(trx)
  for (const { id } of rows) {
    await putBack(trx, sql`k.weeding = ${id} and k.copy = ${copy}`)
    await hideEmpty(trx, id, now)
  }
}

/** A weeding of which nothing is left is none. */
export async function hideEmpty(trx: Trx, weeding: number, now: Date): Promise<void> {
  await sql`
    update weedings g set deleted_at = ${now.toISOString()}::timestamptz
    where g.id = ${weeding} and not exists (select from weeding_lines k where k.weeding = g.id)`.execute(trx)
}

/** Whether the copy of a line k has not left the stock. */
export const isThere = sql`exists (select from copies c where c.id = k.copy and c.deleted_at is null)`
