import { type Kysely, sql } from 'kysely'

/** How often a loan of a medium is extended at most; null for as often as one likes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table media add column max_renewals integer check (max_renewals >= 0)`.execute(db)
}
