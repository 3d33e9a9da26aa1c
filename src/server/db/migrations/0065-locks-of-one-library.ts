import { type Kysely, sql } from 'kysely'

/** A title's queue was locked by a number that is its title's in every library of a database: it is now its library's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function reservations_renumber() returns trigger language plpgsql as $$
    declare
      queue integer;
    begin
      if pg_trigger_depth() > 1 then return null; end if;
      for queue in select distinct reference_id from changed_reservations order by reference_id loop
        perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', current_schema(), 'queue', queue), 0));
        update reservations set queue_position = placed.place
        from (
          select id, row_number() over (order by queued_at, id) as place
          from reservations where reference_id = queue
            and status = 'waiting' and start_date is null and deleted_at is null and fulfilled_by is null
        ) placed
        where placed.id = reservations.id and reservations.queue_position is distinct from placed.place;
      end loop;
      return null;
    end $$`.execute(db)
}
