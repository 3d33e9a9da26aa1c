import { type Kysely, sql } from 'kysely'

/** What catalogues outside said of a code, kept for a month. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table looked_up_codes (
      code text primary key,
      answer jsonb not null,
      asked_at timestamptz not null
    )`.execute(db)
  await sql`create index looked_up_codes_asked on looked_up_codes (asked_at)`.execute(db)
}
