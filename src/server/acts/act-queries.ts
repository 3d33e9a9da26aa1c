import { type RawBuilder, sql } from 'kysely'

import { type Act, acts } from '../../contract/acts.ts'
import type { Collection, ListQuery } from '../../contract/list.ts'
import {
  actKindCodes,
  actsOpenTo,
  notUndoableBy,
  undoableByOthers,
  undoingGoesOn,
} from '../../domain/act-kinds.ts'
import type { Db, Trx } from '../db/handles.ts'
import { onDay } from '../db/lists/list-sql.ts'
import { type Source, source } from '../db/lists/source.ts'
import type { Exchange } from '../http/exchange.ts'
import { accountName } from '../library-facts/person-names.ts'
import { visibleActs } from '../visibility/visibility.ts'
import type { Facts } from './undoable.ts'

const beingUndone = sql`exists (
  select from jobs where kind = 'acts.undo' and ended_at is null and (input ->> 'act')::int = a.id)`

/** Its job is at it; one whose job was given up can be undone as far as it came. */
const isUnderWay = sql`(a.ended_at is null and (exists (
  select from jobs j join imports i on i.id = (j.input ->> 'import')::int
  where j.kind in ('imports.run', 'sync.run') and j.ended_at is null and i.act = a.id)
  or exists (select from jobs j where j.kind in ('inventories.apply', 'closures.close', 'weeding.withdraw', 'readers.erase') and j.ended_at is null and (j.input ->> 'act')::int = a.id)
  or exists (select from jobs j where j.kind = 'acts.undo' and j.ended_at is null and (j.input ->> 'undo')::int = a.id)))`

const lacking = 'Vous n’avez pas le droit de défaire tout ce qu’il a fait.'

/** Whether the act a did what the caller may not take back. */
function beyondRights(rights: Exchange['caller']['rights']): RawBuilder<unknown> {
  const kinds = actKindCodes.flatMap((kind) => {
    const actions = notUndoableBy(kind, rights)
    return actions.length === 0
      ? []
      : [
          sql`(a.kind = ${kind} and exists (
          select from audit_journal j where j.act = a.id and j.action = any(${actions}::text[])))`,
        ]
  })
  return kinds.length === 0 ? sql`false` : sql`(${sql.join(kinds, sql` or `)})`
}

/** Whether an act did something that whoever holds these rights may not take back. */
export async function isBeyondRights(trx: Trx, act: number, { caller }: Exchange): Promise<boolean> {
  const { rows } =
    await sql`select from acts a where a.id = ${act} and ${beyondRights(caller.rights)}`.execute(trx)
  return rows.length > 0
}

/** The acts of the kinds that the caller may do, at the sites open to them. */
const rowsFor = ({ caller, visibility, parameters }: Exchange): Source<typeof acts> =>
  source(acts, {
    from: sql`acts a join users u on u.id = a.user_id cross join lateral (
      select count(*) filter (where told) as touched, count(*) as records from (
        select distinct j.entity, j.entity_id, ${isOfTouched} as told
        from audit_journal j where j.act = a.id and j.entity_id is not null) one) touched
      cross join lateral (
        select count(*) filter (where told) as undone, count(*) as records from (
          select distinct j.entity, j.entity_id, ${isOfTouched} as told
          from acts undoing join audit_journal j on j.act = undoing.id and j.entity_id is not null
          where undoing.undoes = a.id) one) undone`,
    where: sql`a.kind = any(${actsOpenTo(caller.rights)}::text[])`,
    seen: visibleActs(visibility),
    id: sql`a.id`,
    columns: {
      kind: sql`a.kind`,
      name: sql`a.name`,
      who: accountName('u'),
      begun_at: sql`a.begun_at`,
      ended_at: sql`case when ${isUnderWay} then null else coalesce(a.ended_at, a.begun_at) end`,
      touched: sql`touched.touched`,
      undone: sql`undone.undone`,
      fixed: sql`case
        when a.kind = 'acts.undo' then 'Une annulation ne s’annule pas.'
        when a.kind = 'readers.erase' then 'Un effacement ne s’annule pas.'
        when ${isUnderWay} then 'Il n’est pas terminé.'
        when ${beingUndone} then ${undoingGoesOn}
        when a.user_id <> ${caller.user_id} and a.kind <> all(${undoableByOthers(caller.rights)}::text[])
          then 'Seul son auteur l’annule, ou qui peut supprimer ce qu’il a apporté.'
        when ${beyondRights(caller.rights)} then ${lacking}
        when touched.touched = 0 then 'Il n’a rien changé, ou son journal n’est plus gardé.'
        when undone.records >= touched.records then 'Il l’est déjà.' end`,
    },
    filters: { begun_at: { test: onDay(sql`a.begun_at`, parameters.get('timezone')) } },
  })

export const readActs = (db: Db, list: ListQuery, exchange: Exchange): Promise<Collection<Act>> =>
  rowsFor(exchange).list(db, list)

export const findAct = (db: Db | Trx, id: number, exchange: Exchange): Promise<Act | null> =>
  rowsFor(exchange).find(db, id)

export const noSuchAct = 'Cet acte n’existe pas.'

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
