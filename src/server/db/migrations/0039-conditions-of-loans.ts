import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // As they stood on the day of the loan; null where nobody noted them.
  await sql`alter table loanings add column conditions_label text, add column conditions_version text`.execute(
    db,
  )
}
