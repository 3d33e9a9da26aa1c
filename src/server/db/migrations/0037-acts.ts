import { type Kysely, sql } from 'kysely'

/** What was done to many records at once; its lines of the journal are what it is undone by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table acts (
      id integer generated always as identity primary key,
      kind text not null,
      name text not null,
      user_id integer not null references users,
      device_id text,
      site integer references sites,
      undoes integer references acts,
      begun_at timestamptz not null,
      ended_at timestamptz,
      check ((undoes is not null) = (kind = 'acts.undo'))
    )`.execute(db)
  await sql`create index acts_undoes on acts (undoes) where undoes is not null`.execute(db)
  await sql`alter table audit_journal add column act integer references acts`.execute(db)
  await sql`create index audit_journal_act on audit_journal (act, id) where act is not null`.execute(db)
  // Why a record was left as it is when an act was undone, by its last line in the journal.
  await sql`
    create table acts_kept (
      undo integer not null references acts,
      line integer not null,
      reason text not null,
      primary key (undo, line)
    )`.execute(db)
  // A job goes on as the person who asked for it, where they asked.
  await sql`alter table jobs add column site integer references sites, add column device_id text`.execute(db)
}
