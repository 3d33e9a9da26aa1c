import { type Kysely, sql } from 'kysely'

/** Archives that people asked for, kept for a day; and in which signs a reference's own notice was read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table archives (
      id integer generated always as identity primary key,
      user_id integer not null references users,
      status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
      total integer not null default 0,
      done integer not null default 0,
      attempts integer not null default 0,
      problem text,
      place uuid not null,
      size bigint,
      created_at timestamptz not null,
      touched_at timestamptz not null,
      ended_at timestamptz,
      check ((ended_at is null) = (status in ('queued', 'running')))
    )`.execute(db)
  await sql`create unique index archives_under_way on archives (user_id) where ended_at is null`.execute(db)
  await sql`alter table reference_notices add column charset text`.execute(db)
}
