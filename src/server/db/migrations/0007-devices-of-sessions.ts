import { type Kysely, sql } from 'kysely'

/** A session belongs to a device with a secret, and its actions are sealed with a key that outlives it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `alter table devices add column secret_hash bytea`,
    `alter table devices add column added_by integer references users`,
    `alter table sessions alter column device_id type text`,
    `alter table sessions add column id integer generated always as identity unique`,
    `create index sessions_device on sessions (device_id) where revoked_at is null`,
    `create table session_seals (
       id uuid primary key,
       session bytea not null,
       user_id integer not null references users on delete cascade,
       seal_key bytea not null,
       created_at timestamptz not null,
       revoked_at timestamptz
     )`,
    `create index session_seals_session on session_seals (session)`,
    `create index session_seals_user on session_seals (user_id) where revoked_at is null`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
