import { sql } from 'kysely'

import { type Facts, someOf, type Undoable } from '../acts/undoable.ts'
import { journal } from '../http/journal.ts'
import { hideEmpty, isThere, putBack } from '../library-facts/cart-lines.ts'

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
