import { type Kysely, sql } from 'kysely'

/** Makes the references' keywords rows that they share. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table keywords (
      id integer generated always as identity primary key,
      name text not null check (name <> ''),
      enabled boolean not null default true,
      date_update timestamptz not null default now(),
      deleted_at timestamptz
    )`.execute(db)
  await sql`create unique index keywords_name on keywords (search_text(name)) where deleted_at is null`.execute(
    db,
  )
  await sql`
    create table reference_keywords (
      reference integer not null references "references" on delete cascade,
      keyword integer not null references keywords,
      primary key (reference, keyword)
    )`.execute(db)
  await sql`create index reference_keywords_keyword on reference_keywords (keyword)`.execute(db)
  // Of several spellings the first in the alphabet stays.
  await sql`
    insert into keywords (name)
    select min(btrim(word)) from "references", unnest(keywords) word
    where btrim(word) <> '' group by search_text(btrim(word))`.execute(db)
  await sql`
    insert into reference_keywords (reference, keyword)
    select distinct r.id, k.id from "references" r, unnest(r.keywords) word
    join keywords k on search_text(k.name) = search_text(btrim(word))`.execute(db)
  await sql`alter table "references" drop column keywords`.execute(db)
}
