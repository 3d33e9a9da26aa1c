import { sql } from 'kysely'

import type { Db } from '../../src/server/db/handles.ts'

/** Adds as many titles, copies, readers and closed loans, none in its neighbours' order. */
export async function addManyRows(db: Db, count: number): Promise<void> {
  // From 0 to size - 1, decided by n.
  const pick = (salt: number, size: number) =>
    sql`((hashint8extended(n::bigint, ${salt}) & 2147483647) % ${size}::bigint)::int`
  await sql`insert into "references" (name, code, category, medium, price, created_at)
    select 'Été ' || ${pick(1, count)}, case when n % 3 = 0 then 'C' || ${pick(2, count)} end, 1 + n % 2, case when n % 5 > 0 then 1 + n % 3 end,
      ${pick(3, 5000)}::numeric / 100, timestamptz '2020-01-01' + ${pick(4, 100_000)} * interval '1 minute'
    from generate_series(1, ${count}::int) n`.execute(db)
  await sql`insert into copies (reference, bar_code, site, buy_date)
    select n, 'X' || lpad(${pick(5, 1_000_000)}::text, 7, '0') || n, 1 + n % 2, case when n % 4 > 0 then date '2015-01-01' + ${pick(6, 3000)} end
    from generate_series(1, ${count}::int) n`.execute(db)
  await sql`insert into beneficiaries (matricule, lastname, firstname, agency_id, contract_type)
    select 'N' || n, chr(65 + ${pick(7, 26)}) || 'vrard', chr(65 + ${pick(8, 26)}) || 'nne', case when n % 6 > 0 then 1 + n % 2 end, 'CD' || n % 7
    from generate_series(1, ${count}::int) n`.execute(db)
  await sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, duration_value, duration_type, amount,
      lent_at, lent_received_at)
    select 1 + ${pick(9, count)}, 1 + ${pick(10, count)}, 1 + n % 2, case when n % 50 = 0 then 'cancelled' else 'finished' end, begun, begun + 21,
      case when n % 50 > 0 then begun + 3 + n % 30 end, 3, 'WEEK', ${pick(11, 300)}::numeric / 100, begun, begun
    from (select n, date '2018-01-01' + ${pick(12, 2000)} as begun from generate_series(1, ${count}::int) n) loans`.execute(
    db,
  )
  await sql`analyze`.execute(db)
}
