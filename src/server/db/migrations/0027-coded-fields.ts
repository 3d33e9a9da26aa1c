import { type Kysely, sql } from 'kysely'

/** Makes the references' coded authors, editors and lists rows that they share, and their fields too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...tables, ...conversion]) await sql.raw(statement).execute(db)
  for (const [position, [code, name]] of fields.entries()) {
    await sql`insert into reference_fields (code, name, position) values (${code}, ${name}, ${position})`.execute(
      db,
    )
  }
}

const groups = `('author', 'editor', 'list')`

const tables = [
  `create table list_types (
     id integer generated always as identity primary key,
     name text not null check (name <> ''),
     "group" text not null check ("group" in ${groups}),
     is_main_author boolean not null default false check ("group" = 'author' or not is_main_author),
     enabled boolean not null default true,
     date_update timestamptz not null default now(),
     deleted_at timestamptz,
     unique (id, "group")
   )`,
  `create unique index list_types_name on list_types ("group", search_text(name)) where deleted_at is null`,
  // A type without any is of every medium.
  `create table list_type_media (
     list_type integer not null references list_types on delete cascade,
     medium integer not null references media,
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
  `create index list_values_type on list_values (type)`,
  `create index list_values_search on list_values using gin (search_text(name) public.gin_trgm_ops)`,
  `create table reference_list_values (
     reference integer not null references "references" on delete cascade,
     list_value integer not null references list_values,
     position integer not null,
     primary key (reference, list_value)
   )`,
  `create index reference_list_values_value on reference_list_values (list_value)`,
  `create table reference_fields (
     id integer generated always as identity primary key,
     code text not null unique,
     name text not null,
     traduction text not null default '',
     disabled boolean not null default false,
     position integer not null,
     date_update timestamptz not null default now()
   )`,
]

const objectOr = (value: string) => `case jsonb_typeof(${value}) when 'object' then ${value} else '{}' end`

// Of several spellings the first by its signs stays, which is the one with a capital.
const conversion = [
  `create table coded_before as
   select r.id as reference, g.key as "group", btrim(t.key) as type, btrim(n.value #>> '{}') as name,
     row_number() over (partition by r.id order by g.place, t.place, n.place) as position
   from "references" r
   cross join lateral jsonb_each(${objectOr('r.authors')}) with ordinality g (key, value, place)
   cross join lateral jsonb_each(${objectOr('g.value')}) with ordinality t (key, value, place)
   cross join lateral jsonb_array_elements(
     case jsonb_typeof(t.value) when 'array' then t.value else '[]' end) with ordinality n (value, place)
   where g.key in ${groups} and btrim(t.key) <> '' and btrim(n.value #>> '{}') <> ''`,
  `insert into list_types (name, "group")
   select min(type collate "C"), "group" from coded_before group by "group", search_text(type)`,
  `insert into list_values (name, "group", type)
   select min(c.name collate "C"), t."group", t.id
   from coded_before c join list_types t on t."group" = c."group" and search_text(t.name) = search_text(c.type)
   group by t.id, t."group", search_text(c.name)`,
  `insert into reference_list_values (reference, list_value, position)
   select c.reference, v.id, min(c.position)
   from coded_before c join list_types t on t."group" = c."group" and search_text(t.name) = search_text(c.type)
   join list_values v on v.type = t.id and search_text(v.name) = search_text(c.name)
   group by c.reference, v.id`,
  `drop table coded_before`,
  `alter table "references" drop column authors`,
]

/** In the order of the form: the tags, then the extra data. */
const fields = [
  ['author', 'Auteur'],
  ['performer', 'Interprète'],
  ['publisher', 'Éditeur'],
  ['collection', 'Collection'],
  ['year', 'Année'],
  ['subhead', 'Sous-titre'],
  ['title_inside', 'Titre intérieur'],
  ['volume', 'Tome'],
  ['publication_date', 'Date de publication'],
  ['language', 'Langue'],
  ['level', 'Niveau'],
  ['section', 'Section'],
  ['subcollection', 'Sous-collection'],
  ['book_number', 'Cote'],
  ['book_number_dewey', 'Cote Dewey'],
  ['subject', 'Sujet'],
  ['linked_authors', 'Auteurs secondaires'],
  ['person_in_charge', 'Responsable'],
  ['linked_ref', 'Références liées'],
  ['origin', 'Origine'],
  ['provider', 'Fournisseur'],
  ['buying_price', 'Prix d’achat'],
  ['documentary_background', 'Fonds documentaire'],
  ['summary', 'Résumé'],
] as const
