import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table devices (
    device_id uuid primary key,
    name text not null default '',
    user_id integer references users,
    site integer references sites,
    first_seen timestamptz not null,
    last_seen timestamptz not null,
    reported_at timestamptz,
    app_version text not null default '',
    browser text not null default '',
    waiting integer not null default 0 check (waiting >= 0),
    conflicts integer not null default 0 check (conflicts >= 0),
    quarantined integer not null default 0 check (quarantined >= 0),
    oldest_at timestamptz,
    snapshot_at timestamptz,
    storage_used bigint check (storage_used >= 0),
    replays integer not null default 0 check (replays >= 0),
    refusals integer not null default 0 check (refusals >= 0)
  )`.execute(db)
}
