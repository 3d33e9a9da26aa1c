import { sql } from 'kysely'

import { type Facts, someOf, type Undoable } from '../acts/undoable.ts'
import { journal } from '../http/journal.ts'
import { isSiteOpen } from '../visibility/visibility.ts'

type Row = { id: number; name: string; site: number; status: string }

/** An inventory that was applied is open again, with all its scans. */
export const undoInventories: Undoable = {
  nameOf: ({ name }) => String(name),

  lock: (trx, ids) =>
    sql`select from inventories where id = any(${ids}::int[]) order by id for update`.execute(trx),

  read: async (trx, ids, { visibility }) => {
    const { rows } = await sql<Row>`
      select id, name, site, status from inventories
      where id = any(${ids}::int[]) and deleted_at is null order by id`.execute(trx)
    return new Map(
      rows.filter(({ site }) => isSiteOpen(visibility, site)).map((row): [number, Facts] => [row.id, row]),
    )
  },

  own: (facts) => someOf(facts, ['status']),

  takeAway: (_trx, ids) =>
    Promise.resolve(new Map(ids.map((id) => [id, 'Un inventaire se supprime à part.']))),

  giveBack: async (trx, { id, before, now }, exchange) => {
    await sql`delete from inventory_findings where inventory = ${id}`.execute(trx)
    await sql`
      update inventories set status = ${before['status']}::text, ended_at = null, act = null, expected = null, seen = null,
        places = null, date_update = ${exchange.now.toISOString()} where id = ${id}`.execute(trx)
    await journal(trx, exchange, {
      action: 'inventories.reopen',
      entity: 'inventories',
      entity_id: id,
      before: now,
      after: { ...now, status: before['status'] },
    })
    return null
  },

  bringBack: () => Promise.resolve('Un inventaire supprimé ne se rétablit pas ainsi.'),
}
