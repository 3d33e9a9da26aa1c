import { subMonths } from 'date-fns'
import { sql } from 'kysely'

import type { Db } from '../db/handles.ts'

/** A loan at the counter hardly waits for so few, though the embedded engine does one thing at a time. */
const linesAtOnce = 500

/** Deletes lines older than so many months (0: none) but the last one, by which devices know their place. */
export async function shortenJournal(db: Db, months: number, now: Date): Promise<void> {
  if (months === 0) return
  const kept = subMonths(now, months).toISOString()
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number }>`
      with oldest as materialized (
        select id, at from audit_journal where id > ${after} order by id limit ${linesAtOnce}
      )
      delete from audit_journal where id in (
        select id from oldest
        where id < coalesce((select min(id) from oldest where at >= ${kept}), (select max(id) + 1 from oldest))
          and id < (select max(id) from audit_journal)
      ) returning id`.execute(db)
    if (rows.length < linesAtOnce) return
    after = Math.max(...rows.map(({ id }) => id))
  }
}
