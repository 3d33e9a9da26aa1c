import { type Kysely, sql } from 'kysely'

/** What whoever got an answer could see, because it may come again once they see less; null in lines older than this. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table idempotency_keys add column told_by jsonb`.execute(db)
}
