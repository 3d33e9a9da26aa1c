import { type Kysely, sql } from 'kysely'

/** Stores what lists sort by, folded, and 200 characters long because an index holds no longer ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table "references" add column sort_name text generated always as (
     left(search_text(name || ' ' || coalesce(tags ->> 'author', '') || ' ' || coalesce(code, '')), 200)
   ) stored`,
  `create index references_sort_name on "references" (sort_name, id)`,
  `alter table beneficiaries
     add column sort_name text generated always as (
       left(search_text(lastname || ' ' || firstname || ' ' || lastname || ' ' || matricule || ' ' || coalesce(reader_id, '')), 200)
     ) stored,
     add column sort_firstname text generated always as (left(search_text(firstname), 200)) stored,
     add column sort_contract text generated always as (left(search_text(contract_type), 200)) stored`,
  `create index beneficiaries_sort_name on beneficiaries (sort_name, id)`,
  `create index beneficiaries_sort_firstname on beneficiaries (sort_firstname, id)`,
]
