import { type RawBuilder, sql } from 'kysely'

import type { Db, Trx } from '../db/handles.ts'
import type { Facts } from './undoable.ts'

/** A record that an act touched, as it was before and as the act left it. */
export type TouchedRow = {
  /** Of its last line in the act. */
  id: number
  entity: string
  entity_id: number
  action: string
  before: Facts | null
  after: Facts | null
}

/** The last line of each record that an act touched, as `j`. */
export const lastLines = (act: number): RawBuilder<unknown> => sql`audit_journal j
  where j.act = ${act} and j.entity_id is not null and not exists (
    select from audit_journal later
    where later.entity = j.entity and later.entity_id = j.entity_id and later.act = j.act and later.id > j.id)`

/** Whether line `j` is of what the act touched, and not of the record of itself that a weeding keeps, which comes and goes with it. */
export const isOfTouched = sql<boolean>`j.entity <> 'weeding'`

/** Whether the record of line `j` has been given back what it was. */
export const isUndone = (act: number): RawBuilder<boolean> => sql<boolean>`exists (
  select from audit_journal u join acts undoing on undoing.id = u.act and undoing.undoes = ${act}
  where u.entity = j.entity and u.entity_id = j.entity_id)`

/** With what the record was before the first line of the act about it. */
export const touchedColumns = sql`j.id, j.entity, j.entity_id, j.action, j.after, (
  select first.before from audit_journal first
  where first.entity = j.entity and first.entity_id = j.entity_id and first.act = j.act
  order by first.id limit 1) as before`

/** Those not undone yet that come before a line, the latest first: what was made last is taken away first. */
export async function rowsToUndo(
  db: Db | Trx,
  act: number,
  { below, most }: { below: number; most: number },
): Promise<TouchedRow[]> {
  const { rows } = await sql<TouchedRow>`
    select ${touchedColumns} from ${lastLines(act)} and j.id < ${below} and not ${isUndone(act)}
    order by j.id desc limit ${most}`.execute(db)
  return rows
}

export async function countToUndo(db: Db | Trx, act: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${lastLines(act)} and not ${isUndone(act)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Actions after which the record is no longer there. */
export const isRemoval = (action: string): boolean =>
  action.endsWith('.remove') || action === 'list_values.merge'
