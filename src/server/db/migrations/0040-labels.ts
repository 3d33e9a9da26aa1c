import { type Kysely, sql } from 'kysely'

/** Labels: what they are printed on and by, codes that are printed before a copy has them, and copies that await theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sites alter column bar_codes_configuration
      set default '{"siteCode":"","firstValue":"1","symbology":"CODE128"}'`.execute(db)
  await sql`
    update sites set bar_codes_configuration = bar_codes_configuration || '{"symbology":"CODE128"}'`.execute(
    db,
  )
  await sql`
    alter table sites add constraint sites_bar_codes_configuration
      check (bar_codes_configuration ?& array['siteCode', 'firstValue', 'symbology'])`.execute(db)
  // Each code stands in bar_codes_given too, which gives none twice.
  await sql`
    create table code_ranges (
      key uuid primary key,
      site integer not null references sites,
      user_id integer not null references users,
      bar_codes text[] not null,
      printed_at timestamptz not null
    )`.execute(db)
  await sql`create index code_ranges_printed_at on code_ranges (printed_at)`.execute(db)
  await sql`create index code_ranges_bar_codes on code_ranges using gin (bar_codes)`.execute(db)
  await sql`
    create table label_basket (
      copy integer primary key references copies on delete cascade,
      wanted_at timestamptz not null
    )`.execute(db)
  await sql`
    create table label_sheets (
      id integer generated always as identity primary key,
      name text not null,
      kind text not null check (kind in ('sheet', 'roll_203', 'roll_300')),
      label_width integer not null,
      label_height integer not null,
      margin_left integer not null default 0,
      margin_top integer not null default 0,
      pitch_x integer not null default 0,
      pitch_y integer not null default 0,
      columns integer not null default 1,
      rows integer not null default 1,
      date_update timestamptz not null default now(),
      deleted_at timestamptz
    )`.execute(db)
  await sql`
    create unique index label_sheets_name on label_sheets (search_text(name)) where deleted_at is null`.execute(
    db,
  )
  await sql`
    create table label_printers (
      id integer generated always as identity primary key,
      name text not null,
      measured_left integer not null default 100,
      measured_top integer not null default 100,
      date_update timestamptz not null default now(),
      deleted_at timestamptz
    )`.execute(db)
  await sql`
    create unique index label_printers_name on label_printers (search_text(name)) where deleted_at is null`.execute(
    db,
  )
}
