import { type Kysely, sql } from 'kysely'

/** Shared and private views may have one name, for a clash would betray a private one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index views_name`.execute(db)
  await sql`create unique index views_name on views (user_id, list, shared, search_text(name))`.execute(db)
}
