import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await mediaByCode(db)
  await sitesByName(db)
  await barCodesGiven(db)
}

/** Codes of media are there only once, as their names are. */
async function mediaByCode(db: Kysely<unknown>): Promise<void> {
  await sql`update media set code = null where btrim(code) = ''`.execute(db)
  // Of several media with one code, the first keeps it as it is.
  await sql`
    update media m set code = m.code || '-' || m.id
    where m.deleted_at is null and exists (
      select from media first
      where first.id < m.id and first.deleted_at is null and search_text(first.code) = search_text(m.code))`.execute(
    db,
  )
  await sql`create unique index media_code on media (search_text(code)) where deleted_at is null and code is not null`.execute(
    db,
  )
  // Deleting a medium counts its references, and moving them finds them.
  await sql`create index references_medium on "references" (medium) where deleted_at is null`.execute(db)
}

async function sitesByName(db: Kysely<unknown>): Promise<void> {
  await sql`
    update sites s set name = s.name || ' (' || s.id || ')'
    where s.deleted_at is null and exists (
      select from sites first
      where first.id < s.id and first.deleted_at is null and search_text(first.name) = search_text(s.name))`.execute(
    db,
  )
  await sql`create unique index sites_name on sites (search_text(name)) where deleted_at is null`.execute(db)
  await sql`
    update sites s set gestit_id = null
    where s.deleted_at is null and exists (
      select from sites first
      where first.id < s.id and first.deleted_at is null and first.gestit_id = s.gestit_id)`.execute(db)
  await sql`create unique index sites_gestit_id on sites (gestit_id) where deleted_at is null`.execute(db)
}

/** The numbers of a site keep the zeros before them, and no code is given twice. */
async function barCodesGiven(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sites
      alter column bar_codes_configuration set default '{"siteCode":"","firstValue":"1"}',
      add column last_reference text,
      add column last_number bigint`.execute(db)
  await sql`
    update sites set bar_codes_configuration = jsonb_build_object(
      'siteCode', coalesce(bar_codes_configuration ->> 'siteCode', ''),
      'firstValue', coalesce(bar_codes_configuration ->> 'firstValue', '1'))`.execute(db)
  await sql`
    create table bar_codes_given (
      bar_code text primary key,
      site integer not null references sites,
      given_at timestamptz not null default now()
    )`.execute(db)
}
