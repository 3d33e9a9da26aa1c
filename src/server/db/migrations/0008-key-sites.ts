import { type Kysely, sql } from 'kysely'

/** The site a key was used for, 0 for none in particular; a site that does not exist is kept as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column site integer`.execute(db)
}
