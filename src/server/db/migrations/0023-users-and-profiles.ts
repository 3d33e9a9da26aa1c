import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column last_used_at timestamptz`.execute(db)
  // Two profiles that differ by case or accents alone would be taken for each other.
  await sql`update profiles p set name = p.name || ' (' || p.id || ')'
    where exists (select from profiles o where o.id < p.id and search_text(o.name) = search_text(p.name))`.execute(
    db,
  )
  await sql`alter table profiles drop constraint profiles_name_key`.execute(db)
  await sql`create unique index profiles_name on profiles (search_text(name))`.execute(db)
}
