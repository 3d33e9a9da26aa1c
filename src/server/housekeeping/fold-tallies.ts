import { sql } from 'kysely'

import type { Db } from '../db/handles.ts'

/** Tables whose lines are only added: what they are told apart by, and what is added up (migrations 0005 and 0059). */
const tallies = {
  loan_tallies: { by: ['start_date', 'site', 'status'], sums: ['loans'] },
  lending_tallies: {
    by: ['span', 'starts_on', 'site', 'medium', 'category', 'status', 'late', 'due_on'],
    sums: ['loans', 'amount'],
  },
  public_tallies: { by: ['month', 'site', 'medium', 'audience', 'age_band'], sums: ['loans'] },
  return_tallies: { by: ['day', 'site'], sums: ['returns'] },
}

/** Makes one line of those that are alike, and none of those that add up to nothing; two processes at once take different lines. */
export async function foldTallies(db: Db): Promise<void> {
  for (const [name, { by, sums }] of Object.entries(tallies)) {
    const [table, alike] = [sql.table(name), sql.join(by.map((column) => sql.ref(column)))]
    const added = sums.map((column) => sql`sum(${sql.ref(column)})`)
    const isSomething = sql.join(
      added.map((sum) => sql`${sum} <> 0`),
      sql` or `,
    )
    await sql`
      with several as (
        select unnest(array_agg(ctid)) as line from ${table} group by ${alike} having count(*) > 1
      ), taken as (
        delete from ${table} t using several s where t.ctid = s.line returning t.*
      )
      insert into ${table} (${alike}, ${sql.join(sums.map((column) => sql.ref(column)))})
      select ${alike}, ${sql.join(added)} from taken group by ${alike} having ${isSomething}`.execute(db)
  }
}
