import { type Kysely, sql } from 'kysely'

/** The whole loan stands beside a refused line at once: no time to wait is set any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from parameters where code = 'counter_refused_form_seconds'`.execute(db)
}
