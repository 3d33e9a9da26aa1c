import { type Kysely, sql } from 'kysely'

/** What an import tells of lines that it takes; and codes that differ by case only, which are one, are found from each other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table imports add column remarks jsonb not null default '[]'`.execute(db)
  await sql`create index copies_bar_code_alike on copies (lower(bar_code))`.execute(db)
}
