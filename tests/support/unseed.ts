import { sql } from 'kysely'

import type { Db } from '../../src/server/db/handles.ts'
import { emptyTables } from './empty-tables.ts'

/** Makes of the test library what every new environment is: one site, `admin`, and nothing else. */
export async function unseed(db: Db): Promise<void> {
  await emptyTables(
    db,
    'references',
    'copies',
    'beneficiaries',
    'relatives',
    'loanings',
    'media',
    'categories',
    'eligibility_values',
    'start_sample',
    'bar_codes_given',
    'audit_journal',
    'forgetting_agreements',
  )
  await sql`delete from users where username <> 'admin'`.execute(db)
  await sql`delete from sites where id <> 1`.execute(db)
  await sql`update sites set name = 'Site principal', last_reference = null, last_number = null,
    bar_codes_configuration = default`.execute(db)
  await sql`update parameters set value = '0' where code = 'multisite'`.execute(db)
  await sql`update parameters set value = 'Comptoir' where code = 'work_council'`.execute(db)
  await sql`update start_progress set dismissed_at = null, steps_done = '{}', steps_later = '{}'`.execute(db)
}
