import { type Kysely, sql } from 'kysely'

/**
 * The site that a key was used for, 0 being none in particular. Keys of before have none. What the address says is kept, whether such a
 * site exists or not: a key refers to nothing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column site integer`.execute(db)
}
