import { type Kysely, sql } from 'kysely'

/**
 * What a dry run has met is kept with what its lines would leave there, because a later line of the file meets that: a work by its
 * code or its title, of which digests do, (src/server/imports/matched-works.ts), the rest by its key. A word that would be made has a number.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A check that is under way goes on with the lines to come alone, as it did.
  await sql`
    alter table import_seen add column number integer generated always as identity,
      add column leaves jsonb, add column code bigint, add column title bigint`.execute(db)
  await sql`create index import_seen_code on import_seen (import, code) where code is not null`.execute(db)
  await sql`create index import_seen_title on import_seen (import, title) where title is not null`.execute(db)
}
