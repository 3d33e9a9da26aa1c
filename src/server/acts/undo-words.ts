import { type RawBuilder, sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { journal } from '../http/journal.ts'
import { type Facts, type Undoable } from './undoable.ts'

type Table = 'categories' | 'closures' | 'keywords' | 'list_types' | 'list_values' | 'locations' | 'media'

type Words = {
  /** Which of the rows `t` something still stands in. */
  used: RawBuilder<unknown>
  inUse: string
  taken: string
}

const notOwn = ['id', 'date_update', 'deleted_at']

/** Words of the catalogue, each a row of a table, which the journal tells as it is. */
export const undoWords = (table: Table, { used, inUse, taken }: Words): Undoable => {
  const at = sql.table(table)
  return {
    nameOf: ({ name, label }) => String(name ?? label),
    lock: (trx, ids) =>
      sql`select from ${at} where id = any(${ids}::int[]) order by id for update`.execute(trx),
    read: async (trx, ids) => {
      const { rows } = await sql<{ row: Facts & { id: number } }>`
        select to_jsonb(t) as row from ${at} t
        where id = any(${ids}::int[]) and deleted_at is null order by id`.execute(trx)
      return new Map(rows.map(({ row }) => [row.id, row]))
    },
    // Facts told in another way than the row's are not its own.
    own: (facts) =>
      Object.fromEntries(
        Object.entries(facts).filter(
          ([name, value]) => !notOwn.includes(name) && !name.startsWith('@') && typeof value !== 'object',
        ),
      ),
    takeAway: async (trx, ids, { now }) => {
      const { rows } = await sql<{ id: number }>`
        select t.id from ${at} t where t.id = any(${ids}::int[]) and ${used}`.execute(trx)
      const held = rows.map(({ id }) => id)
      await sql`
        update ${at} set deleted_at = ${now.toISOString()}
        where id = any(${ids}::int[]) and id <> all(${held}::int[])`.execute(trx)
      return new Map(held.map((id) => [id, inUse]))
    },
    giveBack: async (trx, { id, before, now }, exchange) => {
      const differing = Object.entries(before).filter(
        ([name, value]) => !notOwn.includes(name) && name in now && now[name] !== value,
      )
      const set = differing.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
      if (set.length > 0) await sql`update ${at} set ${sql.join(set)} where id = ${id}`.execute(trx)
      await journal(trx, exchange, {
        action: `${table}.change`,
        entity: table,
        entity_id: id,
        before: now,
        after: before,
      })
      return null
    },
    bringBack: async (trx, { id }) => ((await isFree(trx, table, id)) ? bring(trx, table, id) : taken),
  }
}

async function bring(trx: Trx, table: Table, id: number): Promise<null> {
  await sql`update ${sql.table(table)} set deleted_at = null where id = ${id}`.execute(trx)
  return null
}

/** Whether no other row has taken its name meanwhile; two at once are told apart by the table's index. */
async function isFree(trx: Trx, table: Table, id: number): Promise<boolean> {
  const name = sql.ref(table === 'locations' || table === 'closures' ? 'label' : 'name')
  const within = table === 'list_values' ? sql`and other.type = mine.type` : sql``
  const { rows } = await sql`
    select from ${sql.table(table)} mine join ${sql.table(table)} other
      on other.id <> mine.id and other.deleted_at is null and search_text(other.${name}) = search_text(mine.${name}) ${within}
    where mine.id = ${id}`.execute(trx)
  return rows.length === 0
}
