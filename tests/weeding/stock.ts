import { sql } from 'kysely'

import { emptyTables } from '../support/empty-tables.ts'
import type { TestServer } from '../support/test-server.ts'

/**
 * Of Centre: 1001 (bought in 2001) and 1002 (2015) were never lent; 1003, damaged, was last in 2016, 1004 in 2023, 1005
 * and 1006 last month; 1009 is damaged, of 1999 and never lent. 1010 has two more copies, 1011 and 1012.
 */
export async function seedStock({ db }: TestServer): Promise<void> {
  await emptyTables(
    db,
    'weeding_lines',
    'weedings',
    'acts_kept',
    'audit_journal',
    'acts',
    'jobs',
    'loanings',
    'reservations',
    'label_basket',
    'idempotency_keys',
  )
  await sql`delete from copies where id > 15`.execute(db)
  await sql`update copies set location = null`.execute(db)
  await sql`delete from locations`.execute(db)
  await sql`insert into locations (id, label) overriding system value values (1, 'Rayon A')`.execute(db)
  await sql`update copies c set status = 'Disponible', deleted_at = null, withdrawn_on = null, withdrawal_reason = null,
    sent_from = null, sent_at = null, site = case when id <= 10 then 1 else 2 end, price = null, state = 'GOOD',
    created_at = '2025-11-01T09:00:00Z', buy_date = null`.execute(db)
  await sql`update copies set buy_date = case id when 1 then '2001-02-01' when 2 then '2015-01-01' when 3 then '2010-05-01'
    when 4 then '2012-01-01' when 9 then '1999-09-01' end::date where id in (1, 2, 3, 4, 9)`.execute(db)
  await sql`update copies set state = 'DAMAGED' where id in (3, 9)`.execute(db)
  await sql`update copies set location = 1, price = 12 where id = 3`.execute(db)
  await sql`update "references" set reference_data = '{"book_number":"843.3"}' where id = 3`.execute(db)
  await sql`insert into copies (reference, bar_code, site, created_at)
    values (10, '1011', 1, '2025-11-01T09:00:00Z'), (10, '1012', 1, '2025-11-01T09:00:00Z')`.execute(db)
  await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, return_date, status, duration_value,
      duration_type, lent_at, lent_received_at)
    select 1, copy, 1, day::date, day::date + 21, day::date + 20, 'finished', 3, 'WEEK', day::timestamptz, day::timestamptz
    from (values (3, '2014-02-01'), (3, '2016-04-01'), (4, '2023-06-01'), (5, '2026-02-01'), (6, '2026-02-02')) l (copy, day)`.execute(
    db,
  )
}
