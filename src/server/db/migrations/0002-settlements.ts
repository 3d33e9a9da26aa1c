import { type Kysely, sql } from 'kysely'

/** How refused actions were settled, each once; and in the journal, for whom somebody acted who took over an action. */
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
