import { type RawBuilder, sql } from 'kysely'

import { type Facts, someOf, type Undoable } from '../bulk-operations/undoable.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'

/** What was withdrawn and is there again goes back into the cart that it came from. */
export const undoWeeding: Undoable = {
  nameOf: ({ name }) => String(name),

  lock: (trx, ids) =>
    sql`select from weedings where id = any(${[...ids]}::int[]) order by id for update`.execute(trx),

  read: async (trx, ids) => {
    const { rows } = await sql<{ id: number; is_withdrawn: boolean }>`
      select g.id, g.deleted_at is null as is_withdrawn from weedings g where g.id = any(${[...ids]}::int[])`.execute(
      trx,
    )
    return new Map(rows.map((row): [number, Facts] => [row.id, row]))
  },

  own: (facts) => someOf(facts, ['is_withdrawn']),

  takeAway: (_trx, ids) => Promise.resolve(new Map(ids.map((id) => [id, 'Un désherbage reste noté.']))),

  giveBack: async (trx, { id, before, now }, exchange) => {
    await putBack(trx, sql`k.weeding = ${id} and ${isThere}`)
    await hideEmpty(trx, id, exchange.now)
    await journal(trx, exchange, {
      action: 'weeding.put',
      entity: 'weeding',
      entity_id: id,
      before: now,
      after: { ...now, is_withdrawn: before['is_withdrawn'] },
    })
    return null
  },

  bringBack: () => Promise.resolve('Un désherbage ne se rétablit pas ainsi.'),
}

/** Lines into the cart again, but for a copy that somebody has put there meanwhile. */
export async function putBack(trx: Trx, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update weeding_lines k set weeding = null where k.weeding is not null and ${which}
      and not exists (select from weeding_lines o where o.copy = k.copy and o.weeding is null)`.execute(trx)
}

/** A copy that comes back after the rest of its weeding, which an undoing before this one has put into the cart again. */
export async function putBackLate(trx: Trx, copy: number, { act, now }: Exchange): Promise<void> {
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
