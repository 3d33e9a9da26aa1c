import { type Kysely, sql } from 'kysely'

/** The day on which the reader of a late loan was last reminded of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table loanings add column reminded_on date`.execute(db)
}
