import { sql } from 'kysely'
import { expect } from 'vitest'

import type { Db } from '../../src/server/db/handles.ts'

/** Days, sites and states of which the tallies say another number than counting the loans one by one. */
export async function wrongTallies(db: Db): Promise<object[]> {
  const { rows } = await sql<object>`
    select start_date, site, status, sum(one) as wrong_by from (
      select start_date, site, status, loans as one from loan_tallies
      union all
      select start_date, site, status, -1 from loanings where deleted_at is null
    ) both_ways group by 1, 2, 3 having sum(one) <> 0`.execute(db)
  return rows
}

export const expectTalliesTrue = async (db: Db): Promise<void> => expect(await wrongTallies(db)).toEqual([])
