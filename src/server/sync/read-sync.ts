import { sql } from 'kysely'

import { type LastSync, lockSeconds, mostErrors, resultsSeconds, type Sync } from '../../contract/sync.ts'
import type { Db, Trx } from '../db/handles.ts'
import { accountName } from '../library-facts/person-names.ts'
import type { Exchange } from '../http/exchange.ts'
import { findImport, noCounts } from '../imports/import-queries.ts'

type Row = Omit<LastSync, 'errors'>

/** What was asked for last, what became of it, and when another may be. */
export async function readSync(db: Db | Trx, exchange: Exchange): Promise<Sync> {
  const is_configured = exchange.syncSource !== null
  const { rows } = await sql<Row>`
    select j.id as job, j.status, j.done, j.total, j.problem, j.created_at as asked_at, j.ended_at,
      ${accountName('u')} as who, i.name as file, ${JSON.stringify(noCounts)}::jsonb || i.counts as counts,
      i.id as import, i.act
    from jobs j join users u on u.id = j.user_id left join imports i on i.id = (j.input ->> 'import')::int
    where j.kind = 'sync.run' order by j.id desc limit 1`.execute(db)
  const [row] = rows
  if (!row) return { is_configured, locked_for: 0, results_within: 0, last: null }
  const errors =
    row.import === null
      ? []
      : await db
          .selectFrom('import_refusals')
          .select(['line', 'field', 'reason'])
          .where('import', '=', row.import)
          .orderBy('line')
          .limit(mostErrors)
          .execute()
  const isReadable = row.import !== null && (await findImport(db, row.import, exchange)) !== null
  return {
    is_configured,
    locked_for: secondsLeft(row.asked_at, lockSeconds, exchange.now),
    results_within: row.ended_at === null ? secondsLeft(row.asked_at, resultsSeconds, exchange.now) : 0,
    last: { ...row, errors, ...(isReadable ? {} : { import: null, act: null }) },
  }
}

/** Of something that a clock set right since says is yet to come, nothing is left, else it would last until then. */
function secondsLeft(from: string, seconds: number, now: Date): number {
  const age = (now.getTime() - new Date(from).getTime()) / 1000
  return Math.abs(age) < seconds ? Math.min(seconds, Math.ceil(seconds - age)) : 0
}
