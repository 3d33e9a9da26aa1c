import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_filters (
      user_id integer not null references users on delete cascade,
      list text not null,
      codes text[] not null,
      date_update timestamptz not null,
      primary key (user_id, list)
    )`.execute(db)
}
