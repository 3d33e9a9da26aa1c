import { type Kysely, sql } from 'kysely'

/** Counts of what stands on the shelves, and each scan by the key that its phone gave it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table locations add column bar_code text check (bar_code <> '')`.execute(db)
  await sql`create unique index locations_bar_code on locations (bar_code) where deleted_at is null`.execute(
    db,
  )
  await sql`
    create table inventories (
      id integer generated always as identity primary key,
      name text not null check (name <> ''),
      site integer not null references sites,
      locations integer[] not null default '{}',
      categories integer[] not null default '{}',
      media integer[] not null default '{}',
      status text not null default 'open' check (status in ('open', 'paused', 'applied', 'given_up')),
      user_id integer not null references users,
      act integer references acts,
      expected integer,
      seen integer,
      places jsonb,
      created_at timestamptz not null,
      ended_at timestamptz,
      date_update timestamptz not null default now(),
      deleted_at timestamptz,
      changed_xid bigint not null default pg_current_xact_id()::text::bigint,
      check ((status in ('applied', 'given_up')) = (ended_at is not null))
    )`.execute(db)
  await sql`
    create table inventory_scans (
      inventory integer not null references inventories,
      key uuid not null,
      bar_code text,
      copy integer references copies,
      location integer references locations,
      verdict text not null
        check (verdict in ('found', 'elsewhere', 'lent', 'withdrawn', 'unknown', 'already')),
      scanned_at timestamptz not null,
      received_at timestamptz not null default now(),
      way text not null check (way in ('scanner', 'camera', 'hand')),
      note text not null default '',
      taken_back boolean not null default false,
      revision integer not null default 0,
      is_late boolean not null default false,
      user_id integer not null references users,
      device_id text,
      changed_xid bigint not null default pg_current_xact_id()::text::bigint,
      primary key (inventory, key),
      check (bar_code is not null or copy is not null)
    )`.execute(db)
  await sql`
    create trigger inventories_touched before update on inventories
    for each row execute function touch_changed_xid()`.execute(db)
  await sql`
    create trigger inventory_scans_touched before update on inventory_scans
    for each row execute function touch_changed_xid()`.execute(db)
  // Each copy is counted once in an inventory, and last seen at its latest scan.
  await sql`create index inventory_scans_counted on inventory_scans (inventory, copy)`.execute(db)
  await sql`
    create index inventory_scans_seen on inventory_scans (copy, scanned_at)
    where copy is not null and not taken_back`.execute(db)
  await sql`create index inventory_scans_changed on inventory_scans (inventory, changed_xid)`.execute(db)
  // What an applied inventory had found, as its report tells it whatever becomes of the copies.
  await sql`
    create table inventory_findings (
      inventory integer not null references inventories,
      position integer not null,
      "group" text not null
        check ("group" in ('missing', 'misplaced', 'on_shelf', 'found_again', 'withdrawn', 'unknown')),
      key text not null,
      copy integer references copies,
      bar_code text not null,
      name text,
      call_number text,
      site integer references sites,
      location integer references locations,
      location_label text,
      seen_location integer references locations,
      seen_location_label text,
      scanned_at timestamptz,
      scanned_by integer references users,
      note text not null default '',
      last_seen_on date,
      last_loan integer references loanings,
      action text check (action in ('unavailable', 'withdraw', 'move', 'return', 'available', 'restore')),
      outcome text check (outcome in ('done', 'left')),
      primary key (inventory, position)
    )`.execute(db)
}
