import { type Kysely, sql } from 'kysely'

/** The weekdays when a site is open, and the days when it, or every site, is closed all the same. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sites add column open_weekdays integer[] not null default '{1,2,3,4,5,6,7}'
      constraint sites_open_weekdays check (
        open_weekdays <@ array[1, 2, 3, 4, 5, 6, 7] and cardinality(open_weekdays) > 0
        and cardinality(open_weekdays) = (1 = any(open_weekdays))::int + (2 = any(open_weekdays))::int
          + (3 = any(open_weekdays))::int + (4 = any(open_weekdays))::int + (5 = any(open_weekdays))::int
          + (6 = any(open_weekdays))::int + (7 = any(open_weekdays))::int)`.execute(db)
  await sql`
    create table closures (
      id integer generated always as identity primary key,
      site integer references sites,
      first_day date not null,
      last_day date not null,
      label text not null check (label <> ''),
      act integer references acts,
      date_update timestamptz not null default now(),
      deleted_at timestamptz,
      check (last_day >= first_day and last_day - first_day < 366)
    )`.execute(db)
}
