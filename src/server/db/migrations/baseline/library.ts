export const library = [
  `create function search_text(value text) returns text immutable parallel safe language sql
   as $$ select lower(public.unaccent('public.unaccent', coalesce(value, ''))) $$`,
  // A row that tablets copy carries its last transaction: what commits after a snapshot stands at or above its
  // horizon, in whatever order transactions end, as no sequence or clock would tell.
  `create function touch_changed_xid() returns trigger language plpgsql
   as $$
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
     created_at timestamptz not null default now(),
     past text not null default '',
     passed_matricule bigint not null default 0
   )`,
  `create table rights (
     code text primary key,
     group_id text not null,
     group_name text not null,
     label text not null
   )`,
  `create table profiles (
     id integer generated always as identity primary key,
     name text not null check (name <> ''),
     second_factor boolean not null default false
   )`,
  // Two profiles that differ by case or accents alone would be taken for each other.
  `create unique index profiles_name on profiles (search_text(name))`,
  `create table profile_rights (
     profile integer references profiles on delete cascade,
     right_code text references rights,
     primary key (profile, right_code)
   )`,
  `create table sites (
     id integer generated always as identity primary key,
     name text not null check (name <> ''),
     date_update timestamptz not null default now(),
     deleted_at timestamptz,
     enabled boolean not null default true,
     gestit_id text,
     bar_codes_configuration jsonb not null default '{"siteCode": "", "symbology": "CODE128", "firstValue": "1"}'
     constraint sites_bar_codes_configuration check (bar_codes_configuration ?& array['siteCode', 'firstValue', 'symbology']),
     last_reference text,
     last_number bigint,
     open_weekdays integer[] not null default '{1,2,3,4,5,6,7}'::integer[]
     constraint sites_open_weekdays check (
         open_weekdays <@ array[1, 2, 3, 4, 5, 6, 7] and cardinality(open_weekdays) > 0
         and cardinality(open_weekdays) = (1 = any(open_weekdays))::integer + (2 = any(open_weekdays))::integer
           + (3 = any(open_weekdays))::integer + (4 = any(open_weekdays))::integer + (5 = any(open_weekdays))::integer
           + (6 = any(open_weekdays))::integer + (7 = any(open_weekdays))::integer),
     weekly_minutes integer check (weekly_minutes between 0 and 10080)
   )`,
  `create unique index sites_gestit_id on sites (gestit_id) where deleted_at is null`,
  `create unique index sites_name on sites (search_text(name)) where deleted_at is null`,
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
     translation text not null,
     gender text not null default 'm' check (gender in ('m', 'f')),
     delivered text not null default ''
   )`,
  `create table reasons (
     id integer generated always as identity primary key,
     name text not null check (name <> ''),
     date_update timestamptz not null default now(),
     deleted_at timestamptz,
     code text,
     type text not null check (type in ('delay', 'free')),
     enabled boolean not null default true
   )`,
  `create unique index reasons_name on reasons (type, search_text(name)) where deleted_at is null`,
  `create table eligibility_values (
     id integer generated always as identity primary key,
     kind text not null check (kind in ('CONTRACT', 'BENEFICIAIRE_STATUS', 'DOSSIER_TYPE')),
     name text not null check (name <> ''),
     unique (kind, name)
   )`,
  `create table start_progress (
     one_row boolean default true primary key check (one_row),
     steps_done text[] not null default '{}',
     steps_later text[] not null default '{}',
     dismissed_at timestamptz,
     preset text
   )`,
  `create table start_sample (
     entity text check (entity in ('references', 'copies', 'beneficiaries', 'media', 'categories')),
     entity_id integer,
     primary key (entity, entity_id)
   )`,
  `create table closures (
     id integer generated always as identity primary key,
     site integer references sites,
     first_day date not null,
     last_day date not null,
     label text not null check (label <> ''),
     act integer,
     date_update timestamptz not null default now(),
     deleted_at timestamptz,
     check (last_day >= first_day and (last_day - first_day) < 366)
   )`,
]
