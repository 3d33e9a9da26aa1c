/** Loans by day, site and status, counted in lines that are only added, so that counters never wait. */
const loanTallies = [
  `create table loan_tallies (
     start_date date not null,
     site integer not null,
     status text not null,
     loans integer not null
   )`,
  `create index loan_tallies_day on loan_tallies (start_date, site, status)`,
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

/**
 * What figures of a period are made of, in lines that are only added (docs/decisions/0058-figures-from-tallies.md).
 * A title's medium and category are those that it has now, so its lines move with it.
 */
const tables = [
  // A line is of a day or of a month, so that a year is read from twelve months; due_on is the expected return of what is out.
  `create table lending_tallies (
     span text not null check (span in ('day', 'month')),
     starts_on date not null,
     site integer not null,
     medium integer,
     category integer,
     status text not null,
     late boolean not null,
     due_on date,
     loans integer not null,
     amount numeric(12, 2) not null
   )`,
  `create table public_tallies (
     month date not null,
     site integer not null,
     medium integer,
     audience text,
     age_band text,
     loans integer not null
   )`,
  `create table return_tallies (day date not null, site integer not null, returns integer not null)`,
  `create index lending_tallies_period on lending_tallies (span, starts_on)`,
  `create index lending_tallies_out on lending_tallies (site) where span = 'month' and due_on is not null`,
  `create index public_tallies_month on public_tallies (month)`,
  `create index return_tallies_day on return_tallies (day)`,
]

/** What tallies tell loans l of titles r apart by. */
const dimensions = `l.start_date, l.site, l.status, coalesce(l.return_date > l.end_date and l.status <> 'cancelled', false) as late,
  case when l.status = 'in_progress' then l.end_date end as due_on, l.return_date, l.audience, l.age_band, r.medium, r.category`

/** Adds lines of the relation `moved`: loans by all of `dimensions`. */
const added = `
  of_days as (
    insert into lending_tallies (span, starts_on, site, medium, category, status, late, due_on, loans, amount)
    select span, case span when 'day' then start_date else date_trunc('month', start_date)::date end as starts_on,
      site, medium, category, status, late, due_on, sum(loans), sum(amount)
    from moved cross join (values ('day'), ('month')) spans (span)
    group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(loans) <> 0 or sum(amount) <> 0
  ), of_publics as (
    insert into public_tallies (month, site, medium, audience, age_band, loans)
    select date_trunc('month', start_date)::date, site, medium, audience, age_band, sum(loans)
    from moved where status <> 'cancelled' group by 1, 2, 3, 4, 5 having sum(loans) <> 0
  )
  insert into return_tallies (day, site, returns)
  select return_date, site, sum(loans) from moved where status = 'finished' group by 1, 2 having sum(loans) <> 0`

/** How many loans by all of `dimensions`, of a relation that has them and whether each is to be added (1) or taken away (-1). */
const movedFrom = (relation: string) => `
  moved as materialized (
    select start_date, site, status, late, due_on, return_date, audience, age_band, medium, category,
      sum(one) as loans, sum(one * amount) as amount
    from (${relation}) told
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 having sum(one) <> 0 or sum(one * amount) <> 0
  )`

const loansOf = (table: string, one: 1 | -1) => `
  select ${dimensions}, l.amount, ${one} as one
  from ${table} l join copies c on c.id = l.copy join "references" r on r.id = c.reference where l.deleted_at is null`

/** For whoever fills a library without triggers. */
export const countLoans = `with ${movedFrom(loansOf('loanings', 1))}, ${added}`

const trigger = (name: string, body: string) => `
  create function ${name}() returns trigger language plpgsql as $$
  begin
    ${body}
    return null;
  end $$`

const keptByTriggers = [
  // The reference to its copy holds that one already, so the lines of its title do not move meanwhile.
  trigger('tally_figures_added', `with ${movedFrom(loansOf('added', 1))}, ${added};`),
  trigger(
    'tally_figures_changed',
    `perform from copies where id in (
       select a.copy from added a join gone g on g.id = a.id
       where (a.copy, a.site, a.status, a.start_date, a.end_date, a.return_date, a.amount, a.audience, a.age_band, a.deleted_at)
         is distinct from (g.copy, g.site, g.status, g.start_date, g.end_date, g.return_date, g.amount, g.audience, g.age_band, g.deleted_at)
     ) for key share;
     if not found then return null; end if;
     with ${movedFrom(`${loansOf('added', 1)} union all ${loansOf('gone', -1)}`)}, ${added};`,
  ),
  trigger('tally_figures_gone', `with ${movedFrom(loansOf('gone', -1))}, ${added};`),
  trigger(
    'forget_figure_tallies',
    `delete from lending_tallies; delete from public_tallies; delete from return_tallies;`,
  ),
  // Whoever lends or returns one of its copies holds it, and is waited for: else that loan would stay where the title was.
  trigger(
    'tally_titles_moved',
    `perform from copies where reference in (
       select a.id from added a join gone g on g.id = a.id where (a.medium, a.category) is distinct from (g.medium, g.category)
     ) order by id for update;
     if not found then return null; end if;
     with ${movedFrom(
       `select ${dimensions}, l.amount, r.one
        from (
          select a.id, a.medium, a.category, 1 as one from added a join gone g on g.id = a.id
          where (a.medium, a.category) is distinct from (g.medium, g.category)
          union all
          select g.id, g.medium, g.category, -1 from added a join gone g on g.id = a.id
          where (a.medium, a.category) is distinct from (g.medium, g.category)
        ) r join copies c on c.reference = r.id join loanings l on l.copy = c.id where l.deleted_at is null`,
     )}, ${added};`,
  ),
  trigger(
    'tally_copy_moved',
    `perform from copies where id = new.id for update;
     perform from "references" where id in (old.reference, new.reference) order by id for share;
     with ${movedFrom(
       `select ${dimensions}, l.amount, case r.id when new.reference then 1 else -1 end as one
        from loanings l join "references" r on r.id in (old.reference, new.reference)
        where l.copy = new.id and l.deleted_at is null`,
     )}, ${added};`,
  ),
  `create trigger loanings_figures_added after insert on loanings
   referencing new table as added for each statement execute function tally_figures_added()`,
  `create trigger loanings_figures_changed after update on loanings
   referencing old table as gone new table as added for each statement execute function tally_figures_changed()`,
  `create trigger loanings_figures_gone after delete on loanings
   referencing old table as gone for each statement execute function tally_figures_gone()`,
  `create trigger loanings_figures_emptied after truncate on loanings for each statement execute function forget_figure_tallies()`,
  `create trigger references_figures_moved after update on "references"
   referencing old table as gone new table as added for each statement execute function tally_titles_moved()`,
  `create trigger copies_figures_moved after update of reference on copies
   for each row when (old.reference is distinct from new.reference) execute function tally_copy_moved()`,
]

export const tallies = [...loanTallies, ...tables, ...keptByTriggers]
