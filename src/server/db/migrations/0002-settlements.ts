import { type Kysely, sql } from 'kysely'

/** How each refused action was settled, and for whom somebody acted who took one over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table settlements (
    id integer generated always as identity primary key,
    resolves uuid not null unique,
    choice text not null,
    reason text,
    motive text,
    action jsonb not null,
    settled_by integer not null references users,
    settled_at timestamptz not null,
    device_id uuid,
    loaning integer references loanings
  )`.execute(db)
  await sql`alter table audit_journal add column on_behalf_of integer references users`.execute(db)
}
