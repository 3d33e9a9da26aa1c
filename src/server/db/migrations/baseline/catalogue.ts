export const catalogue = [
  `create table categories (
     id integer generated always as identity primary key,
     name text not null check (name <> ''),
     date_update timestamptz not null default now(),
     deleted_at timestamptz
   )`,
  `create unique index categories_name on categories (search_text(name)) where deleted_at is null`,
  `create table media (
     id integer generated always as identity primary key,
     name text not null check (name <> ''),
     date_update timestamptz not null default now(),
     deleted_at timestamptz,
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
     eligibility jsonb not null default '{"dossiers": [], "statuses": [], "contracts": []}',
     max_renewals integer check (max_renewals >= 0),
     check (penalty_enabled or penalty_amount is null),
     constraint media_check1 check (not loaning_conditions_enabled or loaning_conditions_label <> '')
   )`,
  `create unique index media_code on media (search_text(code)) where deleted_at is null and code is not null`,
  `create unique index media_name on media (search_text(name)) where deleted_at is null`,
  `create table media_analytics (
     medium integer references media on delete cascade,
     site integer references sites,
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
     deleted_at timestamptz,
     bar_code text check (bar_code <> '')
   )`,
  `create unique index locations_bar_code on locations (bar_code) where deleted_at is null`,
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
     image_version text constraint references_image_version check (image_version ~ '^[0-9a-f]{32}$'),
     tags jsonb not null default '{}',
     reference_data jsonb not null default '{}',
     created_at timestamptz not null default now(),
     deleted_at timestamptz,
     search text generated always as (search_text(name || ' ' || coalesce(tags ->> 'author', '') || ' ' || coalesce(code, ''))) stored,
     changed_xid bigint not null default pg_current_xact_id()::text::bigint,
     sort_name text generated always as (left(search_text(name || ' ' || coalesce(tags ->> 'author', '') || ' ' || coalesce(code, '')), 200)) stored,
     search_name text generated always as (search_text(name)) stored,
     audience text check (audience in ('adult', 'youth'))
   )`,
  `create index references_changed on "references" (changed_xid)`,
  `create index references_code on "references" (code)`,
  `create index references_created on "references" (created_at desc, id desc) where deleted_at is null`,
  `create index references_medium on "references" (medium) where deleted_at is null`,
  `create index references_search on "references" using gin (search public.gin_trgm_ops)`,
  `create index references_search_name on "references" (search_name) where deleted_at is null`,
  `create index references_sort_name on "references" (sort_name, id)`,
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
     changed_xid bigint not null default pg_current_xact_id()::text::bigint,
     withdrawn_on date,
     withdrawal_reason text,
     check (deleted_at is null or status <> 'En Location'),
     constraint copies_gone_stay check (withdrawn_on is null or deleted_at is not null or status = 'Non Disponible'),
     constraint copies_sent_on_their_way check (sent_from is null or status = 'En transfert'),
     constraint copies_sent_at check ((sent_from is null) = (sent_at is null)),
     constraint copies_sent_elsewhere check (sent_from <> site)
   )`,
  // A withdrawn copy that comes back is known by its bar code too.
  `create index copies_any_bar_code on copies (bar_code)`,
  `create unique index copies_bar_code on copies (bar_code) where deleted_at is null`,
  `create index copies_bar_code_alike on copies (lower(bar_code))`,
  `create index copies_bar_code_part on copies using gin (lower(bar_code) public.gin_trgm_ops)`,
  `create index copies_changed on copies (changed_xid)`,
  `create index copies_reference on copies (reference)`,
  `create index copies_sent on copies (sent_from) where sent_from is not null`,
  `create index copies_site on copies (site)`,
  `create table keywords (
     id integer generated always as identity primary key,
     name text not null check (name <> ''),
     enabled boolean not null default true,
     date_update timestamptz not null default now(),
     deleted_at timestamptz
   )`,
  `create unique index keywords_name on keywords (search_text(name)) where deleted_at is null`,
  `create table reference_keywords (
     reference integer references "references" on delete cascade,
     keyword integer references keywords,
     primary key (reference, keyword)
   )`,
  `create index reference_keywords_keyword on reference_keywords (keyword)`,
  `create table bar_codes_given (
     bar_code text primary key,
     site integer not null references sites,
     given_at timestamptz not null default now()
   )`,
  `create table looked_up_codes (
     code text primary key,
     answer jsonb not null,
     asked_at timestamptz not null,
     covers jsonb not null default '{}'
   )`,
  `create index looked_up_codes_asked on looked_up_codes (asked_at)`,
  `create table list_types (
     id integer generated always as identity primary key,
     name text not null check (name <> ''),
     "group" text not null check ("group" in ('author', 'editor', 'list')),
     is_main_author boolean not null default false,
     enabled boolean not null default true,
     date_update timestamptz not null default now(),
     deleted_at timestamptz,
     unique (id, "group"),
     check ("group" = 'author' or not is_main_author)
   )`,
  `create unique index list_types_name on list_types ("group", search_text(name)) where deleted_at is null`,
  // A type without any is of every medium.
  `create table list_type_media (
     list_type integer references list_types on delete cascade,
     medium integer references media,
     primary key (list_type, medium)
   )`,
  `create index list_type_media_medium on list_type_media (medium)`,
  // A value is of the group of its type, and follows it into another one.
  `create table list_values (
     id integer generated always as identity primary key,
     name text not null check (name <> ''),
     "group" text not null,
     type integer not null,
     enabled boolean not null default true,
     date_update timestamptz not null default now(),
     deleted_at timestamptz,
     foreign key (type, "group") references list_types (id, "group") on update cascade
   )`,
  `create unique index list_values_name on list_values (type, search_text(name)) where deleted_at is null`,
  `create index list_values_search on list_values using gin (search_text(name) public.gin_trgm_ops)`,
  `create index list_values_type on list_values (type)`,
  `create table reference_list_values (
     reference integer references "references" on delete cascade,
     list_value integer references list_values,
     "position" integer not null,
     primary key (reference, list_value)
   )`,
  `create index reference_list_values_value on reference_list_values (list_value)`,
  `create table reference_fields (
     id integer generated always as identity primary key,
     code text not null unique,
     name text not null,
     traduction text not null default '',
     disabled boolean not null default false,
     "position" integer not null,
     date_update timestamptz not null default now()
   )`,
  // `again_at` is when it is sought again; for ever later where somebody took it away.
  `create table found_images (
     reference integer primary key references "references" on delete cascade,
     code text not null,
     source text,
     image_version text check (image_version ~ '^[0-9a-f]{32}$'),
     again_at timestamptz not null
   )`,
  `create table reference_notices (
     reference integer primary key references "references" on delete cascade,
     format text not null check (format in ('iso2709', 'marcxml')),
     content bytea not null,
     act integer,
     charset text
   )`,
  `create index reference_notices_act on reference_notices (act) where act is not null`,
  // Each code stands in bar_codes_given too, which gives none twice.
  `create table code_ranges (
     key uuid primary key,
     site integer not null references sites,
     user_id integer not null references users,
     bar_codes text[] not null,
     printed_at timestamptz not null
   )`,
  `create index code_ranges_bar_codes on code_ranges using gin (bar_codes)`,
  `create index code_ranges_printed_at on code_ranges (printed_at)`,
  `create table label_basket (
     copy integer primary key references copies on delete cascade,
     wanted_at timestamptz not null
   )`,
  `create table label_sheets (
     id integer generated always as identity primary key,
     name text not null,
     kind text not null check (kind in ('sheet', 'roll_203', 'roll_300')),
     label_width integer not null,
     label_height integer not null,
     margin_left integer not null default 0,
     margin_top integer not null default 0,
     pitch_x integer not null default 0,
     pitch_y integer not null default 0,
     "columns" integer not null default 1,
     rows integer not null default 1,
     date_update timestamptz not null default now(),
     deleted_at timestamptz
   )`,
  `create unique index label_sheets_name on label_sheets (search_text(name)) where deleted_at is null`,
  `create table label_printers (
     id integer generated always as identity primary key,
     name text not null,
     measured_left integer not null default 100,
     measured_top integer not null default 100,
     date_update timestamptz not null default now(),
     deleted_at timestamptz
   )`,
  `create unique index label_printers_name on label_printers (search_text(name)) where deleted_at is null`,
  `create trigger references_touched before update on "references" for each row execute function touch_changed_xid()`,
  `create trigger copies_touched before update on copies for each row execute function touch_changed_xid()`,
]
