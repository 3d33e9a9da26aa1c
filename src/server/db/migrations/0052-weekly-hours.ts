import { type Kysely, sql } from 'kysely'

/** How long a site is open in a week, which a yearly report asks for; null where nobody said. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sites add column weekly_minutes integer check (weekly_minutes between 0 and 10080)`.execute(
    db,
  )
}
