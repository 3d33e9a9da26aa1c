import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

// A row that tablets copy carries its last transaction: what commits after a snapshot stands at or above its
// horizon, in whatever order transactions end, as no sequence or clock would tell.
const changed = `changed_xid bigint not null default pg_current_xact_id()::text::bigint`

const named = `
  id integer generated always as identity primary key,
  name text not null check (name <> ''),
  date_update timestamptz not null default now(),
  deleted_at timestamptz`

const touched = (table: string) =>
  `create trigger ${table}_touched before update on "${table}" for each row execute function touch_changed_xid()`

const statements = [
  `create function search_text(value text) returns text immutable parallel safe language sql
   as $$ select lower(public.unaccent('public.unaccent', coalesce(value, ''))) $$`,

  `create function touch_changed_xid() returns trigger language plpgsql as $$
   begin
     new.changed_xid := pg_current_xact_id()::text::bigint;
     return new;
   end $$`,

  `create table environment (
     id integer primary key,
     name text not null,
     hosts text[] not null default '{}',
     demonstration boolean not null default false,
     image_path text,
     one_row boolean not null default true unique check (one_row),
     created_at timestamptz not null default now()
   )`,

  `create table rights (
     code text primary key,
     group_id text not null,
     group_name text not null,
     label text not null
   )`,
  `create table profiles (
     id integer generated always as identity primary key,
     name text not null unique check (name <> '')
   )`,
  `create table profile_rights (
     profile integer not null references profiles on delete cascade,
     right_code text not null references rights,
     primary key (profile, right_code)
   )`,
  `create table sites (
     ${named},
     enabled boolean not null default true,
     gestit_id text,
     bar_codes_configuration jsonb not null default '{"siteCode":"","firstValue":1}'
   )`,
  `create table users (
     id integer generated always as identity primary key,
     username public.citext not null unique check (username <> '' and username not like '%@%'),
     firstname text not null default '',
     lastname text not null default '',
     email public.citext,
     password_hash text not null,
     profile integer not null references profiles,
     enabled boolean not null default true,
     created_at timestamptz not null default now(),
     deleted_at timestamptz
   )`,
  `create index users_email on users (email)`,
  // A user without a row here works at every site.
  `create table user_sites (
     user_id integer not null references users on delete cascade,
     site integer not null references sites,
     primary key (user_id, site)
   )`,
  `create table sessions (
     token_hash bytea primary key,
     user_id integer not null references users on delete cascade,
     device_id uuid,
     created_at timestamptz not null,
     last_used_at timestamptz not null,
     revoked_at timestamptz
   )`,
  `create index sessions_user on sessions (user_id)`,
  `create table password_links (
     token_hash bytea primary key,
     kind text not null check (kind in ('login', 'reset')),
     user_id integer not null references users on delete cascade,
     expires_at timestamptz not null,
     used_at timestamptz
   )`,
  // Failed sign-ins by account, by address and in all; the caller hashes a key that names a person.
  `create table login_failures (
     key text primary key,
     failures integer not null check (failures >= 0),
     last_failure_at timestamptz not null
   )`,

  `create table parameters (
     id integer generated always as identity primary key,
     code text not null unique,
     value text not null,
     info text not null default '',
     date_update timestamptz not null default now()
   )`,
  `create table translations (
     id integer generated always as identity primary key,
     code text not null unique,
     translation text not null
   )`,
  `create table reasons (
     ${named},
     code text,
     type text not null check (type in ('delay', 'free')),
     enabled boolean not null default true
   )`,
  `create table eligibility_values (
     id integer generated always as identity primary key,
     kind text not null check (kind in ('CONTRACT', 'BENEFICIAIRE_STATUS', 'DOSSIER_TYPE')),
     name text not null check (name <> ''),
     unique (kind, name)
   )`,

  `create table categories (${named})`,
  `create unique index categories_name on categories (search_text(name)) where deleted_at is null`,
  `create table media (
     ${named},
     code text,
     accounting_code text,
     enabled boolean not null default true,
     duration integer check (duration > 0),
     duration_type text check (duration_type in ('MONTH', 'WEEK', 'DAY', 'CYCLE')),
     start_day smallint check (start_day between 1 and 7),
     end_day smallint check (end_day between 1 and 7),
     penalty_enabled boolean not null default false,
     penalty_amount numeric(10, 2) check (penalty_amount >= 0),
     penalty_duration_type text check (penalty_duration_type in ('MONTH', 'WEEK', 'DAY')),
     max_loaning integer check (max_loaning >= 0),
     max_late integer check (max_late >= 0),
     online_booking_enabled boolean not null default false,
     loaning_conditions_enabled boolean not null default false,
     loaning_conditions_label text,
     loaning_conditions_file text,
     eligibility jsonb not null default '{"contracts":[],"statuses":[],"dossiers":[]}',
     check (penalty_enabled or penalty_amount is null),
     check (not loaning_conditions_enabled or loaning_conditions_label <> '')
   )`,
  `create unique index media_name on media (search_text(name)) where deleted_at is null`,
  `create table media_analytics (
     medium integer not null references media on delete cascade,
     site integer not null references sites,
     analytic text not null,
     primary key (medium, site)
   )`,
  `create table media_images_sources (
     medium integer primary key references media on delete cascade,
     rule text not null
   )`,
  `create table locations (
     id integer generated always as identity primary key,
     label text not null check (label <> ''),
     deleted_at timestamptz
   )`,
  `create unique index locations_label on locations (search_text(label)) where deleted_at is null`,
  `create table "references" (
     id integer generated always as identity primary key,
     code text,
     name text not null check (name <> ''),
     description text not null default '',
     short_description text not null default '',
     category integer references categories,
     medium integer references media,
     price numeric(10, 2) not null default 0 check (price >= 0),
     type text not null default 'Location' check (type in ('Location', 'Vente')),
     deposit_check boolean not null default false,
     new_at date,
     image_path text,
     keywords text[] not null default '{}',
     tags jsonb not null default '{}',
     authors jsonb not null default '{}',
     reference_data jsonb not null default '{}',
     created_at timestamptz not null default now(),
     deleted_at timestamptz,
     search text generated always as (
       search_text(name || ' ' || coalesce(tags ->> 'author', '') || ' ' || coalesce(code, ''))
     ) stored,
     ${changed}
   )`,
  touched('references'),
  `create index references_code on "references" (code)`,
  `create index references_created on "references" (created_at desc, id desc) where deleted_at is null`,
  `create index references_search on "references" using gin (search public.gin_trgm_ops)`,
  `create index references_changed on "references" (changed_xid)`,
  `create table copies (
     id integer generated always as identity primary key,
     reference integer not null references "references",
     bar_code text not null check (bar_code <> ''),
     site integer not null references sites,
     state text not null default 'VERY_GOOD' check (state in ('VERY_GOOD', 'GOOD', 'DAMAGED', 'UNUSABLE')),
     status text not null default 'Disponible'
       check (status in ('Disponible', 'En Location', 'En transfert', 'Non Disponible')),
     location integer references locations,
     buy_date date,
     cycle_type text check (cycle_type in ('DAY', 'WEEK', 'MONTH')),
     cycle_value integer check (cycle_value > 0),
     price numeric(10, 2) check (price >= 0),
     type text not null default 'Location' check (type in ('Location', 'Vente')),
     sent_from integer references sites,
     sent_at timestamptz,
     created_at timestamptz not null default now(),
     deleted_at timestamptz,
     ${changed},
     check (deleted_at is null or status <> 'En Location')
   )`,
  touched('copies'),
  `create unique index copies_bar_code on copies (bar_code) where deleted_at is null`,
  // A withdrawn copy that comes back is known by its bar code too.
  `create index copies_any_bar_code on copies (bar_code)`,
  `create index copies_reference on copies (reference)`,
  `create index copies_site on copies (site)`,
  `create index copies_changed on copies (changed_xid)`,

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
     wallet_amount numeric(10, 2) check (wallet_amount >= 0),
     displayed jsonb not null default '[]',
     message text not null default '',
     created_at timestamptz not null default now(),
     deleted_at timestamptz,
     search text generated always as (
       search_text(lastname || ' ' || firstname || ' ' || lastname || ' ' || matricule || ' ' || coalesce(reader_id, ''))
     ) stored,
     ${changed}
   )`,
  touched('beneficiaries'),
  `create unique index beneficiaries_matricule on beneficiaries (matricule) where deleted_at is null`,
  `create unique index beneficiaries_reader on beneficiaries (reader_id) where deleted_at is null`,
  `create index beneficiaries_name on beneficiaries (lastname, firstname, id) where deleted_at is null`,
  `create index beneficiaries_search on beneficiaries using gin (search public.gin_trgm_ops)`,
  `create index beneficiaries_changed on beneficiaries (changed_xid)`,
  `create table relatives (
     id integer generated always as identity primary key,
     beneficiary integer not null references beneficiaries,
     lastname text not null check (lastname <> ''),
     firstname text not null default '',
     reader_id text check (reader_id <> ''),
     deleted_at timestamptz,
     search text generated always as (
       search_text(lastname || ' ' || firstname || ' ' || lastname || ' ' || coalesce(reader_id, ''))
     ) stored,
     unique (id, beneficiary)
   )`,
  `create unique index relatives_reader on relatives (reader_id) where deleted_at is null`,
  `create index relatives_beneficiary on relatives (beneficiary)`,
  `create index relatives_search on relatives using gin (search public.gin_trgm_ops)`,
  // A device copies a relative with its beneficiary.
  `create function touch_beneficiary_of_relative() returns trigger language plpgsql as $$
   begin
     update beneficiaries set changed_xid = changed_xid where id = new.beneficiary;
     return null;
   end $$`,
  `create trigger relatives_touch after insert or update on relatives
   for each row execute function touch_beneficiary_of_relative()`,

  `create table loanings (
     id integer generated always as identity primary key,
     loan_key uuid unique,
     beneficiary integer not null references beneficiaries,
     relative integer,
     copy integer not null references copies,
     site integer not null references sites,
     status text not null default 'in_progress' check (status in ('in_progress', 'finished', 'cancelled')),
     start_date date not null,
     end_date date not null,
     return_date date,
     duration_value integer not null check (duration_value > 0),
     duration_type text not null check (duration_type in ('MONTH', 'WEEK', 'DAY', 'CYCLE')),
     amount numeric(10, 2) not null default 0 check (amount >= 0),
     free boolean not null default false,
     free_reason integer references reasons,
     comment text not null default '',
     return_comment text not null default '',
     state text check (state in ('VERY_GOOD', 'GOOD', 'DAMAGED', 'UNUSABLE')),
     delay_reason integer references reasons,
     delay_comment text not null default '',
     penalty_count integer check (penalty_count >= 0),
     penalty_duration integer check (penalty_duration >= 0),
     penalty_amount numeric(10, 2) check (penalty_amount >= 0),
     override_reason text,
     end_date_flagged boolean not null default false,
     lent_by integer references users,
     lent_at timestamptz not null,
     lent_received_at timestamptz not null,
     lent_device uuid,
     returned_by integer references users,
     returned_at timestamptz,
     returned_received_at timestamptz,
     returned_device uuid,
     state_before_return text,
     deleted_at timestamptz,
     ${changed},
     foreign key (relative, beneficiary) references relatives (id, beneficiary),
     check (end_date >= start_date),
     check (return_date >= start_date),
     check ((status = 'finished') = (return_date is not null)),
     check (free_reason is null or free),
     check (not free or amount = 0),
     check (deleted_at is null or status <> 'in_progress')
   )`,
  touched('loanings'),
  `create unique index loanings_one_open_per_copy on loanings (copy) where status = 'in_progress'`,
  `create index loanings_copy on loanings (copy, start_date desc)`,
  `create index loanings_beneficiary on loanings (beneficiary, start_date desc)`,
  `create index loanings_open_beneficiary on loanings (beneficiary) where status = 'in_progress'`,
  `create index loanings_open_end on loanings (end_date, id) where status = 'in_progress'`,
  `create index loanings_start on loanings (start_date desc, id desc) where deleted_at is null`,
  `create index loanings_status_start on loanings (status, start_date desc, id desc) where deleted_at is null`,
  `create index loanings_return on loanings (return_date desc nulls last, id desc) where deleted_at is null`,
  `create index loanings_changed on loanings (changed_xid)`,

  `create table reservations (
     id integer generated always as identity primary key,
     beneficiary_id integer not null references beneficiaries,
     reference_id integer not null references "references",
     copy_id integer references copies,
     site integer references sites,
     start_date date,
     end_date date,
     status text not null default 'waiting' check (status in ('confirmed', 'waiting', 'canceled', 'refused')),
     source text not null default 'media' check (source in ('media', 'online')),
     reservation_date timestamptz not null default now(),
     queue_position integer check (queue_position > 0),
     comment text not null default '',
     cycle_value integer check (cycle_value > 0),
     fulfilled_by integer references loanings,
     deleted_at timestamptz,
     ${changed},
     check ((start_date is null) = (end_date is null)),
     check (end_date >= start_date),
     constraint reservations_never_overlap exclude using gist (
       copy_id with =, daterange(start_date, end_date, '[]') with &&
     ) where (start_date is not null and copy_id is not null and status in ('confirmed', 'waiting')
              and deleted_at is null and fulfilled_by is null)
   )`,
  touched('reservations'),
  `create unique index reservations_queue on reservations (reference_id, queue_position)
   where status in ('confirmed', 'waiting') and deleted_at is null and fulfilled_by is null`,
  `create index reservations_reference on reservations (reference_id) where deleted_at is null`,
  `create index reservations_beneficiary on reservations (beneficiary_id) where deleted_at is null`,
  `create index reservations_changed on reservations (changed_xid)`,

  `create table mail_templates (
     id integer generated always as identity primary key,
     code text not null,
     type text not null check (type in ('object', 'body', 'details', 'signing')),
     content text not null,
     enabled boolean not null default true,
     date_update timestamptz not null default now(),
     unique (code, type)
   )`,
  `create table mail_outbox (
     id integer generated always as identity primary key,
     to_address text not null,
     subject text not null,
     html text not null,
     template text not null,
     beneficiary integer references beneficiaries,
     loaning integer references loanings,
     status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
     attempts integer not null default 0 check (attempts >= 0),
     next_attempt_at timestamptz not null,
     last_error text,
     created_at timestamptz not null,
     sent_at timestamptz
   )`,
  `create index mail_outbox_due on mail_outbox (next_attempt_at, id) where status = 'queued'`,
  `create index mail_outbox_created on mail_outbox (created_at desc, id desc)`,

  `create table idempotency_keys (
     key uuid primary key,
     user_id integer,
     endpoint text not null,
     request_hash bytea not null,
     status integer not null,
     answer text not null,
     created_at timestamptz not null
   )`,
  `create index idempotency_keys_created on idempotency_keys (created_at)`,
  `create table audit_journal (
     id bigint generated always as identity primary key,
     at timestamptz not null,
     user_id integer references users,
     device_id uuid,
     action text not null,
     entity text not null,
     entity_id integer,
     before jsonb,
     after jsonb,
     idempotency_key uuid
   )`,
  `create index audit_journal_entity on audit_journal (entity, entity_id, id)`,
]
