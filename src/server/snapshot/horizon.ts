import { sql } from 'kysely'

import type { Trx } from '../db/handles.ts'

/** `witness`: the journal's last line and its time (ms), which a restored database lacks. */
export type Horizon = {
  /** All transactions below it have ended. */
  to: number
  below: number
  witness: readonly [id: number, at: number]
  /** PostgreSQL's timeline, which a standby that was promoted or a recovery to a point in time begins anew. */
  timeline: string
  /** The machine where the rows lie, which counts these transactions; a distributed engine is asked through another one. */
  machine: string
}

export async function readHorizon(trx: Trx): Promise<Horizon> {
  const { rows } = await sql<{
    to: number
    below: number
    id: number | null
    at: string | null
    timeline: string
    machine: string
  }>`
    select pg_snapshot_xmin(seen)::text::bigint as to, pg_snapshot_xmax(seen)::text::bigint as below, last.id, last.at,
      left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
      (select system_identifier::text from pg_control_system()) as machine
    from pg_current_snapshot() seen
    left join (select id, at from audit_journal order by id desc limit 1) last on true`.execute(trx)
  const [row] = rows
  if (!row) throw new Error('the database answered no snapshot')
  return {
    to: row.to,
    below: row.below,
    witness: [row.id ?? 0, row.at === null ? 0 : Date.parse(row.at)],
    timeline: row.timeline,
    machine: row.machine,
  }
}

/** Whether a pass began in this database's past, not in one that a backup has undone. */
export async function isOfThisPast(
  trx: Trx,
  { from, to, witness: [id, at] }: { from: number; to: number; witness: Horizon['witness'] },
  horizon: Horizon,
): Promise<boolean> {
  if (from > to || to > horizon.to) return false
  if (id === 0) return true
  const line = await trx.selectFrom('audit_journal').select('at').where('id', '=', id).executeTakeFirst()
  return line !== undefined && Date.parse(line.at) === at
}
