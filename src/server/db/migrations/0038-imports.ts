import { type Kysely, sql } from 'kysely'

/** Files brought in: what they are, how they are read, and what came of it. Their rows lie beside, in a file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table imports (
      id integer generated always as identity primary key,
      subject text not null check (subject in ('references', 'readers', 'loans')),
      name text not null,
      size bigint not null,
      place text not null,
      rows_file text not null,
      opened jsonb not null,
      rows integer not null,
      damaged integer not null,
      mapping jsonb not null,
      choices jsonb not null,
      status text not null check (status in ('read', 'checking', 'checked', 'running', 'done')),
      counts jsonb not null default '{}',
      samples jsonb not null default '[]',
      unknown_sites jsonb not null default '[]',
      problem text,
      act integer references acts,
      user_id integer not null references users,
      site integer references sites,
      created_at timestamptz not null,
      ended_at timestamptz
    )`.execute(db)
  await sql`
    create table import_refusals (
      id integer generated always as identity primary key,
      import integer not null references imports on delete cascade,
      line integer not null,
      field text,
      reason text not null,
      at bigint not null
    )`.execute(db)
  await sql`create index import_refusals_import on import_refusals (import, id)`.execute(db)
  // What a dry run has met, so that a second line of one work is another copy there too.
  await sql`
    create table import_seen (
      import integer not null references imports on delete cascade,
      key text not null,
      primary key (import, key)
    )`.execute(db)
  await sql`
    create table import_mappings (
      id integer generated always as identity primary key,
      subject text not null,
      name text not null,
      columns text not null,
      mapping jsonb not null,
      choices jsonb not null,
      date_update timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index import_mappings_name on import_mappings (subject, search_text(name))`.execute(
    db,
  )
  await sql`
    create table reference_notices (
      reference integer primary key references "references" on delete cascade,
      format text not null check (format in ('iso2709', 'marcxml')),
      content bytea not null,
      act integer references acts
    )`.execute(db)
  await sql`create index reference_notices_act on reference_notices (act) where act is not null`.execute(db)
  await sql`create index references_search_name on "references" (search_name) where deleted_at is null`.execute(
    db,
  )
}
