import { type RawBuilder, sql } from 'kysely'

import { moveCategory as moveCategoryCall, moveLocation as moveLocationCall } from '../../contract/moves.ts'
import type { Trx } from '../db/handles.ts'
import { change } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { copyOpen, type Sight } from '../sight/sight.ts'

type Moved = {
  table: 'categories' | 'locations'
  missing: string
  other: string
  /** Gives what is of the one to the other, as far as it is open to the person. */
  give: (id: number, into: number, sight: Sight) => RawBuilder<unknown>
}
type Asked = { params: { id: number }; body: { into: number } }

/** Whoever may delete one that serves gives what is of it another first. */
const moving =
  ({ table, missing, other, give }: Moved) =>
  async (
    trx: Trx,
    { params: { id }, body: { into } }: Asked,
    exchange: Exchange,
  ): Promise<Outcome<{ count: number }>> => {
    // In the order of their ids, so that two moves at once never wait for each other.
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where id in (${id}, ${into}) and deleted_at is null
      order by id for update`.execute(trx)
    const isThere = (one: number) => rows.some((row) => row.id === one)
    if (!isThere(id)) return notFound(missing)
    if (!isThere(into)) return violation('into', missing)
    if (into === id) return violation('into', other)
    const count = Number((await give(id, into, exchange.sight).execute(trx)).numAffectedRows ?? 0)
    if (count > 0) {
      await journal(trx, exchange, {
        action: `${table}.move`,
        entity: table,
        entity_id: id,
        before: { moved_to: null, moved_count: null },
        after: { moved_to: into, moved_count: count },
      })
    }
    return done({ count })
  }

const moveCategory = moving({
  table: 'categories',
  missing: 'Cette catégorie n’existe pas.',
  other: 'Choisissez une autre catégorie.',
  give: (id, into) =>
    sql`update "references" set category = ${into} where category = ${id} and deleted_at is null`,
})

const moveLocation = moving({
  table: 'locations',
  missing: 'Cet emplacement n’existe pas.',
  other: 'Choisissez un autre emplacement.',
  give: (id, into, sight) =>
    sql`update copies c set location = ${into}
      where c.location = ${id} and c.deleted_at is null and ${copyOpen(sight)}`,
})

export const moveRoutes = [change(moveCategoryCall, moveCategory), change(moveLocationCall, moveLocation)]
