import { type Kysely, sql } from 'kysely'

/** Counts loans by day, site and status in lines that are only added, so that counters never wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table loan_tallies (
     start_date date not null,
     site integer not null,
     status text not null,
     loans integer not null
   )`,
  `create index loan_tallies_day on loan_tallies (start_date, site, status)`,
  `insert into loan_tallies (start_date, site, status, loans)
   select start_date, site, status, count(*) from loanings where deleted_at is null group by 1, 2, 3`,

  `create function tally_loans_added() returns trigger language plpgsql as $$
   begin
     insert into loan_tallies (start_date, site, status, loans)
     select start_date, site, status, count(*) from added where deleted_at is null group by 1, 2, 3;
     return null;
   end $$`,
  `create function tally_loans_changed() returns trigger language plpgsql as $$
   begin
     insert into loan_tallies (start_date, site, status, loans)
     select start_date, site, status, sum(one) from (
       select start_date, site, status, 1 as one from added where deleted_at is null
       union all
       select start_date, site, status, -1 from gone where deleted_at is null
     ) moved group by 1, 2, 3 having sum(one) <> 0;
     return null;
   end $$`,
  `create function tally_loans_gone() returns trigger language plpgsql as $$
   begin
     insert into loan_tallies (start_date, site, status, loans)
     select start_date, site, status, -count(*) from gone where deleted_at is null group by 1, 2, 3;
     return null;
   end $$`,
  `create function forget_tallies() returns trigger language plpgsql as $$
   begin
     delete from loan_tallies;
     return null;
   end $$`,
  `create trigger loanings_added after insert on loanings
   referencing new table as added for each statement execute function tally_loans_added()`,
  `create trigger loanings_changed after update on loanings
   referencing old table as gone new table as added for each statement execute function tally_loans_changed()`,
  `create trigger loanings_gone after delete on loanings
   referencing old table as gone for each statement execute function tally_loans_gone()`,
  `create trigger loanings_emptied after truncate on loanings for each statement execute function forget_tallies()`,
]
