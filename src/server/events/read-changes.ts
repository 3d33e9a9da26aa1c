import { sql } from 'kysely'

import { changedWith } from '../../contract/changed-resources.ts'
import type { Db } from '../db/handles.ts'
import { type ChangeCursor, readSnapshot, writeSnapshot } from './change-cursor.ts'

/** Nobody is told who signs in, changes a password or reads what somebody borrowed. */
const isPrivate = (action: string) =>
  /^(session|password)\./.test(action) || action === 'beneficiaries.history_read'

type Line = { entity: string; action: string }

/** A person who is closed or signs out, a password that changes, a device that is sent away. */
const mayEndSessions = ({ entity, action }: Line): boolean =>
  (entity === 'users' || entity === 'devices') && action !== 'session.open'

function resourcesOf(lines: readonly Line[]): string[] {
  const touched = lines
    .filter(({ action }) => !isPrivate(action))
    .flatMap(({ entity }) => changedWith(entity))
  return [...new Set(touched)].sort()
}

/** With more lines, everything may have changed. */
const mostLines = 2000

export type Changes = {
  /** Null when everything may have changed. */
  resources: string[] | null
  /** Whether a session may have ended. */
  ends_sessions: boolean
  cursor: ChangeCursor
}

type Row = {
  seen: string
  last_id: number | null
  last_at: string | null
  witness_at: string | null
  first_id: number | null
  lines: number
  kinds: { entity: string; action: string }[]
}

/**
 * What was committed since a cursor, and the next one, both of one statement and so of one instant. Scans of an
 * inventory and mails that leave are too many for a line of the journal each: what they change is stamped instead.
 */
export async function readChanges(db: Db, since: ChangeCursor | null): Promise<Changes> {
  const { rows } = await sql<Row>`
    with present as materialized (select pg_current_snapshot() as seen),
      fresh as materialized (
        select entity, action from audit_journal, present
        where written_xid >= ${since?.xmin ?? null}::bigint
          and written_xid < pg_snapshot_xmax(present.seen)::text::bigint
          and not pg_visible_in_snapshot(written_xid::text::xid8, ${since && writeSnapshot(since)}::pg_snapshot)
        order by written_xid limit ${mostLines}),
      scanned as (
        select 'inventory_scans' as entity, 'inventories.scan' as action where exists (
          select from inventories, present
          where changed_xid >= ${since?.xmin ?? null}::bigint
            and changed_xid < pg_snapshot_xmax(present.seen)::text::bigint
            and not pg_visible_in_snapshot(changed_xid::text::xid8, ${since && writeSnapshot(since)}::pg_snapshot))),
      mailed as (
        select 'mail_outbox' as entity, 'mail.sent' as action where exists (
          select from mail_outbox, present
          where changed_xid >= ${since?.xmin ?? null}::bigint
            and changed_xid < pg_snapshot_xmax(present.seen)::text::bigint
            and not pg_visible_in_snapshot(changed_xid::text::xid8, ${since && writeSnapshot(since)}::pg_snapshot)))
    select present.seen::text as seen, last.id as last_id, last.at as last_at,
      (select at from audit_journal where id = ${since?.witness[0] ?? 0}) as witness_at,
      (select min(id) from audit_journal) as first_id,
      (select count(*) from fresh) as lines,
      (select coalesce(json_agg(kind), '[]') from (select entity, action from fresh union select entity, action from scanned union select entity, action from mailed) kind) as kinds
    from present left join (select id, at from audit_journal order by id desc limit 1) last on true`.execute(
    db,
  )
  const [row] = rows
  const seen = row && readSnapshot(row.seen)
  if (!seen) throw new Error('the database answered no snapshot')
  const witness = [row.last_id ?? 0, row.last_at === null ? 0 : Date.parse(row.last_at)] as const
  const isKnown = since !== null && since.xmax <= seen.xmax && isOfThisPast(since, row)
  const resources = isKnown && row.lines < mostLines ? resourcesOf(row.kinds) : null
  return {
    resources,
    ends_sessions: resources === null || row.kinds.some(mayEndSessions),
    cursor: { ...seen, witness },
  }
}

/** Whether the cursor is of this database's past, undone by no backup, and the journal still reaches it. */
const isOfThisPast = ({ witness: [id, at] }: ChangeCursor, { witness_at, first_id }: Row) =>
  id === 0 ? (first_id ?? 1) === 1 : witness_at !== null && Date.parse(witness_at) === at
