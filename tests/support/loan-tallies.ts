import { sql } from 'kysely'
import { expect } from 'vitest'

import type { Db } from '../../src/server/db/handles.ts'

const days = sql`
  select start_date, site, status, sum(one) as wrong_by from (
    select start_date, site, status, loans as one from loan_tallies
    union all
    select start_date, site, status, -1 from loanings where deleted_at is null
  ) both_ways group by 1, 2, 3 having sum(one) <> 0`

const spanned = (span: 'day' | 'month') => sql`
  select ${span}::text as span, starts_on, site, medium, category, status, late, due_on, sum(one) as wrong_by, sum(amount) as amount_wrong_by
  from (
    select starts_on, site, medium, category, status, late, due_on, loans as one, amount from lending_tallies where span = ${span}
    union all
    select date_trunc(${span}, l.start_date)::date, l.site, r.medium, r.category, l.status,
      l.status = 'finished' and l.return_date > l.end_date, case when l.status = 'in_progress' then l.end_date end, -1, -l.amount
    from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference where l.deleted_at is null
  ) both_ways group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(one) <> 0 or sum(amount) <> 0`

const publics = sql`
  select month, site, medium, audience, age_band, sum(one) as wrong_by from (
    select month, site, medium, audience, age_band, loans as one from public_tallies
    union all
    select date_trunc('month', l.start_date)::date, l.site, r.medium, l.audience, l.age_band, -1
    from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
    where l.deleted_at is null and l.status <> 'cancelled'
  ) both_ways group by 1, 2, 3, 4, 5 having sum(one) <> 0`

const returns = sql`
  select day, site, sum(one) as wrong_by from (
    select day, site, returns as one from return_tallies
    union all
    select return_date, site, -1 from loanings where deleted_at is null and status = 'finished'
  ) both_ways group by 1, 2 having sum(one) <> 0`

/** Lines of which the tallies say another number than counting the loans one by one. */
export async function wrongTallies(db: Db): Promise<object[]> {
  const found: object[] = []
  for (const compared of [days, spanned('day'), spanned('month'), publics, returns])
    found.push(...(await sql<object>`${compared}`.execute(db)).rows)
  return found
}

export const expectTalliesTrue = async (db: Db): Promise<void> => expect(await wrongTallies(db)).toEqual([])
