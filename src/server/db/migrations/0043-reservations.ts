import { type Kysely, sql } from 'kysely'

/**
 * The queue of a title is kept by the database: whatever changes a reservation, those that wait without dates
 * stand at 1 to n in the order of `queued_at`, and no other has a place.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const isQueued = (row: string) =>
  `${row}status = 'waiting' and ${row}start_date is null and ${row}deleted_at is null and ${row}fulfilled_by is null`

const statements = [
  `alter table reservations
     add column queued_at timestamptz not null default now(),
     add column set_aside_copy integer references copies,
     add column set_aside_at timestamptz,
     add column pickup_until date`,
  `drop index reservations_queue`,
  // Before this version a place was also kept by what was confirmed, served or taken back.
  `update reservations set queued_at = reservation_date, queue_position = null`,
  `update reservations set queue_position = placed.place
   from (
     select id, row_number() over (partition by reference_id order by queued_at, id) as place
     from reservations where ${isQueued('')}
   ) placed
   where placed.id = reservations.id`,
  `update reservations set set_aside_copy = copy_id, set_aside_at = reservation_date
   where status = 'confirmed' and start_date is null and deleted_at is null and fulfilled_by is null
     and copy_id is not null and id in (
       select distinct on (copy_id) id from reservations
       where status = 'confirmed' and start_date is null and deleted_at is null and fulfilled_by is null
       order by copy_id, id)`,
  `alter table reservations
     add constraint reservations_queue exclude using btree (reference_id with =, queue_position with =)
       where (queue_position is not null) deferrable initially deferred,
     add constraint reservations_places check (queue_position is null or (${isQueued('')})),
     add constraint reservations_set_aside check (
       (set_aside_copy is null or status = 'confirmed') and (set_aside_copy is null) = (set_aside_at is null)
       and (pickup_until is null or set_aside_copy is not null))`,
  `create unique index reservations_set_aside_copy on reservations (set_aside_copy)
   where set_aside_copy is not null and status = 'confirmed' and deleted_at is null and fulfilled_by is null`,
  `create index reservations_to_fetch on reservations (pickup_until)
   where set_aside_copy is not null and deleted_at is null and fulfilled_by is null`,
  `create index reservations_served on reservations (fulfilled_by) where fulfilled_by is not null`,
  `create index reservations_asked on reservations (reservation_date desc, id desc) where deleted_at is null`,

  `create function reservation_leaves_queue() returns trigger language plpgsql as $$
   begin
     if not (${isQueued('new.')}) then new.queue_position := null; end if;
     if new.status <> 'confirmed' then
       new.set_aside_copy := null;
       new.set_aside_at := null;
       new.pickup_until := null;
     end if;
     return new;
   end $$`,
  `create trigger reservations_leave_queue before insert or update on reservations
   for each row execute function reservation_leaves_queue()`,

  // The lock orders two changes of one queue; who changes it takes the lock before its rows (lockQueue).
  `create function reservations_renumber() returns trigger language plpgsql as $$
   declare
     queue integer;
   begin
     if pg_trigger_depth() > 1 then return null; end if;
     for queue in select distinct reference_id from changed_reservations order by reference_id loop
       perform pg_advisory_xact_lock(7302125, queue);
       update reservations set queue_position = placed.place
       from (
         select id, row_number() over (order by queued_at, id) as place
         from reservations where reference_id = queue and ${isQueued('')}
       ) placed
       where placed.id = reservations.id and reservations.queue_position is distinct from placed.place;
     end loop;
     return null;
   end $$`,
  `create trigger reservations_renumber_added after insert on reservations
   referencing new table as changed_reservations
   for each statement execute function reservations_renumber()`,
  `create trigger reservations_renumber_changed after update on reservations
   referencing new table as changed_reservations
   for each statement execute function reservations_renumber()`,
]
