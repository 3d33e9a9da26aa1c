import { type Kysely, sql } from 'kysely'

// How far the first start has come, and what of it is a sample. A library that already lends is past it.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table start_progress (
      one_row boolean primary key default true check (one_row),
      steps_done text[] not null default '{}',
      steps_later text[] not null default '{}',
      dismissed_at timestamptz
    )`.execute(db)
  await sql`
    insert into start_progress (dismissed_at)
    select case when exists (select from loanings) then now() end`.execute(db)
  await sql`
    create table start_sample (
      entity text not null check (entity in ('references', 'copies', 'beneficiaries', 'media', 'categories')),
      entity_id integer not null,
      primary key (entity, entity_id)
    )`.execute(db)
}
