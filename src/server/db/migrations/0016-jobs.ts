import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table jobs (
      id integer generated always as identity primary key,
      kind text not null,
      user_id integer not null references users,
      input jsonb not null,
      status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
      total integer not null check (total >= 0),
      done integer not null default 0 check (done >= 0),
      cursor integer not null default 0,
      attempts integer not null default 0,
      problem text,
      created_at timestamptz not null,
      stepped_at timestamptz,
      ended_at timestamptz,
      check ((ended_at is null) = (status in ('queued', 'running')))
    )`.execute(db)
  await sql`create index jobs_open on jobs (stepped_at nulls first, id) where ended_at is null`.execute(db)
  await sql`create index jobs_user on jobs (user_id, id)`.execute(db)
}
