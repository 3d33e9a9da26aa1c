export const readers = [
  `create table beneficiaries (
     id integer generated always as identity primary key,
     matricule text not null check (matricule <> ''),
     lastname text not null check (lastname <> ''),
     firstname text not null default '',
     contract_type text,
     beneficiary_status text,
     dossiers text[] not null default '{}',
     agency_id integer references sites,
     exit_date date,
     reader_id text check (reader_id <> ''),
     email public.citext,
     phone text,
     address text,
     wallet_amount numeric(10, 2),
     displayed jsonb not null default '[]',
     message text not null default '',
     created_at timestamptz not null default now(),
     deleted_at timestamptz,
     search text generated always as (search_text(
        lastname || ' ' || firstname || ' ' || lastname || ' ' || matricule || ' ' || coalesce(reader_id, ''))) stored,
     changed_xid bigint not null default pg_current_xact_id()::text::bigint,
     sort_name text generated always as (left(search_text(
        lastname || ' ' || firstname || ' ' || lastname || ' ' || matricule || ' ' || coalesce(reader_id, '')), 200)) stored,
     sort_firstname text generated always as (left(search_text(firstname), 200)) stored,
     sort_contract text generated always as (left(search_text(contract_type), 200)) stored,
     kind text not null default 'person' check (kind in ('person', 'collectivity')),
     birth_year smallint check (birth_year between 1850 and 2200),
     commune text,
     forgotten_at timestamptz,
     check (forgotten_at is null or deleted_at is not null)
   )`,
  `create index beneficiaries_changed on beneficiaries (changed_xid)`,
  `create index beneficiaries_commune on beneficiaries (commune) where commune is not null`,
  `create index beneficiaries_email on beneficiaries (email) where email is not null`,
  `create unique index beneficiaries_matricule on beneficiaries (matricule) where deleted_at is null`,
  `create index beneficiaries_name on beneficiaries (lastname, firstname, id) where deleted_at is null`,
  `create unique index beneficiaries_reader on beneficiaries (reader_id) where deleted_at is null`,
  `create index beneficiaries_reader_id_alike on beneficiaries (lower(reader_id))`,
  `create index beneficiaries_search on beneficiaries using gin (search public.gin_trgm_ops)`,
  `create index beneficiaries_sort_firstname on beneficiaries (sort_firstname, id)`,
  `create index beneficiaries_sort_name on beneficiaries (sort_name, id)`,
  `create index beneficiaries_whole_matricule on beneficiaries ((matricule::bigint)) where matricule ~ '^[0-9]{1,15}$'`,
  `create table relatives (
     id integer generated always as identity primary key,
     beneficiary integer not null references beneficiaries,
     lastname text not null check (lastname <> ''),
     firstname text not null default '',
     reader_id text check (reader_id <> ''),
     deleted_at timestamptz,
     search text generated always as (search_text(
        lastname || ' ' || firstname || ' ' || lastname || ' ' || coalesce(reader_id, ''))) stored,
     unique (id, beneficiary)
   )`,
  `create index relatives_beneficiary on relatives (beneficiary)`,
  `create unique index relatives_reader on relatives (reader_id) where deleted_at is null`,
  `create index relatives_reader_id_alike on relatives (lower(reader_id))`,
  `create index relatives_search on relatives using gin (search public.gin_trgm_ops)`,
  `create table forgetting_days (
     day date primary key,
     place integer not null default 0,
     readers integer not null default 0,
     loans integer not null default 0,
     reservations integer not null default 0,
     mails integer not null default 0,
     journal_lines integer not null default 0,
     started_at timestamptz not null,
     ended_at timestamptz
   )`,
  // Nothing is forgotten before somebody said yes, once for all.
  `create table forgetting_agreements (
     id integer generated always as identity primary key,
     user_id integer not null references users,
     agreed_at timestamptz not null,
     suspended_at timestamptz,
     suspended_by integer references users,
     check ((suspended_at is null) = (suspended_by is null))
   )`,
  `create trigger beneficiaries_touched before update on beneficiaries for each row execute function touch_changed_xid()`,
  // A device copies a relative with its beneficiary.
  `create function touch_beneficiary_of_relative() returns trigger language plpgsql
   as $$
   begin
     update beneficiaries set changed_xid = changed_xid where id = new.beneficiary;
     return null;
   end $$`,
  `create trigger relatives_touch after insert or update on relatives
   for each row execute function touch_beneficiary_of_relative()`,
]
