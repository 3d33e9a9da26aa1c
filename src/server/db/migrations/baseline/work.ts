export const work = [
  `create table idempotency_keys (
     key uuid primary key,
     user_id integer,
     endpoint text not null,
     request_hash bytea not null,
     status integer not null,
     answer text not null,
     created_at timestamptz not null,
     site integer,
     told_by jsonb
   )`,
  `create index idempotency_keys_created on idempotency_keys (created_at)`,
  `create table acts (
     id integer generated always as identity primary key,
     kind text not null,
     name text not null,
     user_id integer not null references users,
     device_id text,
     site integer references sites,
     undoes integer references acts,
     begun_at timestamptz not null,
     ended_at timestamptz,
     check ((undoes is not null) = (kind = 'acts.undo'))
   )`,
  `create index acts_undoes on acts (undoes) where undoes is not null`,
  `create table audit_journal (
     id bigint generated always as identity primary key,
     at timestamptz not null,
     user_id integer references users,
     device_id text,
     action text not null,
     entity text not null,
     entity_id integer,
     before jsonb,
     after jsonb,
     idempotency_key uuid,
     on_behalf_of integer references users,
     written_xid bigint default pg_current_xact_id()::text::bigint,
     act integer references acts
   )`,
  `create index audit_journal_act on audit_journal (act, id) where act is not null`,
  `create index audit_journal_entity on audit_journal (entity, entity_id, id)`,
  `create index audit_journal_written on audit_journal (written_xid) where written_xid is not null`,
  `create table jobs (
     id integer generated always as identity primary key,
     kind text not null,
     user_id integer not null references users,
     input jsonb not null,
     status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
     total integer not null check (total >= 0),
     done integer not null default 0 check (done >= 0),
     cursor integer not null default 0,
     attempts integer not null default 0,
     problem text,
     created_at timestamptz not null,
     stepped_at timestamptz,
     ended_at timestamptz,
     site integer references sites,
     device_id text,
     check ((ended_at is null) = (status in ('queued', 'running')))
   )`,
  `create index jobs_open on jobs (stepped_at nulls first, id) where ended_at is null`,
  `create index jobs_user on jobs (user_id, id)`,
  // Why a record was left as it is when an act was undone, by its last line in the journal.
  `create table acts_kept (
     undo integer references acts,
     line integer,
     reason text not null,
     primary key (undo, line)
   )`,
  `create table imports (
     id integer generated always as identity primary key,
     subject text not null check (subject in ('references', 'readers', 'loans')),
     name text not null,
     size bigint not null,
     place text not null,
     rows_file text not null,
     opened jsonb not null,
     rows integer not null,
     damaged integer not null,
     mapping jsonb not null,
     choices jsonb not null,
     status text not null check (status in ('read', 'checking', 'checked', 'running', 'done')),
     counts jsonb not null default '{}',
     samples jsonb not null default '[]',
     unknown_sites jsonb not null default '[]',
     problem text,
     act integer references acts,
     user_id integer not null references users,
     site integer references sites,
     created_at timestamptz not null,
     ended_at timestamptz,
     remarks jsonb not null default '[]'
   )`,
  `create table import_refusals (
     id integer generated always as identity primary key,
     import integer not null references imports on delete cascade,
     line integer not null,
     field text,
     reason text not null,
     at bigint not null
   )`,
  `create index import_refusals_import on import_refusals (import, id)`,
  // What a dry run has met, so that a second line of one work is another copy there too; digests name a work by its
  // code or its title (src/server/imports/matched-works.ts).
  `create table import_seen (
     import integer references imports on delete cascade,
     key text,
     number integer generated always as identity,
     leaves jsonb,
     code bigint,
     title bigint,
     primary key (import, key)
   )`,
  `create index import_seen_code on import_seen (import, code) where code is not null`,
  `create index import_seen_title on import_seen (import, title) where title is not null`,
  `create table import_mappings (
     id integer generated always as identity primary key,
     subject text not null,
     name text not null,
     "columns" text not null,
     mapping jsonb not null,
     choices jsonb not null,
     date_update timestamptz not null default now()
   )`,
  `create unique index import_mappings_name on import_mappings (subject, search_text(name))`,
  `create table inventories (
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
   )`,
  `create table inventory_scans (
     inventory integer references inventories,
     key uuid,
     bar_code text,
     copy integer references copies,
     location integer references locations,
     verdict text not null check (verdict in ('found', 'elsewhere', 'lent', 'withdrawn', 'unknown', 'already')),
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
   )`,
  `create index inventory_scans_changed on inventory_scans (inventory, changed_xid)`,
  // Each copy is counted once in an inventory, and last seen at its latest scan.
  `create index inventory_scans_counted on inventory_scans (inventory, copy)`,
  `create index inventory_scans_seen on inventory_scans (copy, scanned_at) where copy is not null and not taken_back`,
  // What an applied inventory had found, as its report tells it whatever becomes of the copies.
  `create table inventory_findings (
     inventory integer references inventories,
     "position" integer,
     "group" text not null check ("group" in ('missing', 'misplaced', 'on_shelf', 'found_again', 'withdrawn', 'unknown')),
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
     primary key (inventory, "position")
   )`,
  `create table archives (
     id integer generated always as identity primary key,
     user_id integer not null references users,
     status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
     total integer not null default 0,
     done integer not null default 0,
     attempts integer not null default 0,
     problem text,
     place uuid not null,
     size bigint,
     created_at timestamptz not null,
     touched_at timestamptz not null,
     ended_at timestamptz,
     check ((ended_at is null) = (status in ('queued', 'running')))
   )`,
  `create unique index archives_under_way on archives (user_id) where ended_at is null`,
  `create table weedings (
     id integer generated always as identity primary key,
     reason text not null check (reason in ('given', 'sold', 'destroyed', 'lost')),
     act integer not null references acts,
     user_id integer not null references users,
     withdrawn_on date not null,
     deleted_at timestamptz
   )`,
  `create table weeding_lines (
     id integer generated always as identity primary key,
     copy integer not null references copies,
     weeding integer references weedings,
     why text not null default '',
     reason text check (reason in ('given', 'sold', 'destroyed', 'lost')),
     added_by integer not null references users,
     added_at timestamptz not null,
     is_scanned boolean not null default false
   )`,
  // Two people who put one copy in the cart have put it in once.
  `create unique index weeding_lines_cart on weeding_lines (copy) where weeding is null`,
  `create index weeding_lines_copy on weeding_lines (copy)`,
  `create index weeding_lines_weeding on weeding_lines (weeding, id) where weeding is not null`,
  `alter table closures add foreign key (act) references acts`,
  `alter table reference_notices add foreign key (act) references acts`,
  `create trigger inventories_touched before update on inventories for each row execute function touch_changed_xid()`,
  `create trigger inventory_scans_touched before update on inventory_scans
   for each row execute function touch_changed_xid()`,
  // A statement of its own reads the key after the lock, so that it sees what the holder of the lock committed.
  `create function claim_key(claimed uuid) returns table (
     locked boolean, user_id integer, site integer, request_hash bytea, status integer, answer text
   ) language plpgsql
   as $$
    begin
      locked := pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', current_schema(), 'key', claimed), 0));
      if locked then
        select k.user_id, k.site, k.request_hash, k.status, k.answer
        into user_id, site, request_hash, status, answer
        from idempotency_keys k where k.key = claimed;
      end if;
      return next;
    end $$`,
  `create function claim_new_key(claimed uuid) returns void language plpgsql
   as $$
    begin
      if not pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', current_schema(), 'key', claimed), 0))
        or exists (select from idempotency_keys k where k.key = claimed) then
        raise exception using errcode = 'CK001', message = 'this key is not new';
      end if;
    end $$`,
]
