import { type Kysely, sql } from 'kysely'

/** A shared view is renamed by others too, who may not learn which views of its owner are not shared: those two kinds do not clash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index views_name`.execute(db)
  await sql`create unique index views_name on views (user_id, list, shared, search_text(name))`.execute(db)
}
