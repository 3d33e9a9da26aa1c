export const accounts = [
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
     deleted_at timestamptz,
     last_used_at timestamptz,
     password_chosen boolean not null default true
   )`,
  `create index users_email on users (email)`,
  // A user without a row here works at every site.
  `create table user_sites (
     user_id integer references users on delete cascade,
     site integer references sites,
     primary key (user_id, site)
   )`,
  `create table sessions (
     token_hash bytea primary key,
     user_id integer not null references users on delete cascade,
     device_id text,
     created_at timestamptz not null,
     last_used_at timestamptz not null,
     revoked_at timestamptz,
     id integer generated always as identity unique,
     second_factor_due boolean not null default false
   )`,
  `create index sessions_device on sessions (device_id) where revoked_at is null`,
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
  `create table devices (
     device_id text primary key,
     name text not null default '',
     user_id integer references users,
     site integer references sites,
     first_seen timestamptz not null,
     last_seen timestamptz not null,
     reported_at timestamptz,
     app_version text not null default '',
     browser text not null default '',
     waiting integer not null default 0 check (waiting >= 0),
     conflicts integer not null default 0 check (conflicts >= 0),
     quarantined integer not null default 0 check (quarantined >= 0),
     oldest_at timestamptz,
     snapshot_at timestamptz,
     storage_used bigint check (storage_used >= 0),
     replays integer not null default 0 check (replays >= 0),
     refusals integer not null default 0 check (refusals >= 0),
     secret_hash bytea,
     added_by integer references users
   )`,
  `create table session_seals (
     id uuid primary key,
     session bytea not null,
     user_id integer not null references users on delete cascade,
     seal_key bytea not null,
     created_at timestamptz not null,
     revoked_at timestamptz
   )`,
  `create index session_seals_session on session_seals (session)`,
  `create index session_seals_user on session_seals (user_id) where revoked_at is null`,
  `create table user_filters (
     user_id integer references users on delete cascade,
     list text,
     codes text[] not null,
     date_update timestamptz not null,
     primary key (user_id, list)
   )`,
  `create table views (
     id integer generated always as identity primary key,
     list text not null,
     user_id integer not null references users on delete cascade,
     name text not null check (char_length(name) >= 1 and char_length(name) <= 40),
     shared boolean not null,
     content jsonb not null,
     date_update timestamptz not null
   )`,
  `create unique index views_name on views (user_id, list, shared, search_text(name))`,
  `create index views_shared on views (list) where shared`,
  // A secret without `confirmed_at` was shown and never proved; `last_step` is the last half minute whose code served.
  `create table user_factors (
     user_id integer primary key references users on delete cascade,
     secret bytea not null,
     created_at timestamptz not null,
     confirmed_at timestamptz,
     last_step integer not null default 0
   )`,
  `create table user_recovery_codes (
     user_id integer references users on delete cascade,
     code_hash bytea,
     used_at timestamptz,
     primary key (user_id, code_hash)
   )`,
  `create table user_rights (
     user_id integer references users on delete cascade,
     right_code text references rights,
     held boolean not null,
     primary key (user_id, right_code)
   )`,
]
