import { type Kysely, sql } from 'kysely'

/** What was scanned among the shelves is told apart from what was chosen in a list where nothing was looked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table weeding_lines add column is_scanned boolean not null default false`,
    // Nearly all that says nothing was scanned.
    sql`update weeding_lines set is_scanned = true where why = ''`,
  ]
  for (const statement of statements) await statement.execute(db)
}
