import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table views (
      id integer generated always as identity primary key,
      list text not null,
      user_id integer not null references users on delete cascade,
      name text not null check (char_length(name) between 1 and 40),
      shared boolean not null,
      content jsonb not null,
      date_update timestamptz not null
    )`.execute(db)
  await sql`create unique index views_name on views (user_id, list, search_text(name))`.execute(db)
  await sql`create index views_shared on views (list) where shared`.execute(db)
}
