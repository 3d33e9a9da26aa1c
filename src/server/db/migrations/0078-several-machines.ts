import { type Kysely, sql } from 'kysely'

/** A distributed engine runs each statement on one machine, so a lock and a look at rows stand in statements of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // The lock is the one of library-lock.ts, whatever the path on which a trigger runs.
    `create or replace function reservations_renumber() returns trigger language plpgsql
     as $$
      declare
        queue integer;
      begin
        if pg_trigger_depth() > 1 then return null; end if;
        for queue in select distinct reference_id from changed_reservations order by reference_id loop
          perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', (select id from environment), 'queue', queue), 0));
          update reservations set queue_position = placed.place
          from (
            select id, row_number() over (order by queued_at, id) as place
            from reservations where reference_id = queue
              and status = 'waiting' and start_date is null and deleted_at is null and fulfilled_by is null
          ) placed
          where placed.id = reservations.id and reservations.queue_position is distinct from placed.place;
        end loop;
        return null;
      end $$`,
    // A key's lock is always of the machine that is asked, also while its library moves: apart from the look at its row.
    `create or replace function claim_new_key(claimed uuid) returns void language plpgsql
     as $$
      begin
        if pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', current_schema(), 'key', claimed), 0)) then
          perform from idempotency_keys k where k.key = claimed;
          if not found then return; end if;
        end if;
        raise exception using errcode = 'CK001', message = 'this key is not new';
      end $$`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
