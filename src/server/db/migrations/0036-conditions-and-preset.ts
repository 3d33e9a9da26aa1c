import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null where the medium had no conditions on the day of the loan.
  await sql`alter table loanings add column conditions_given boolean`.execute(db)
  // The preset that was laid down last.
  await sql`alter table start_progress add column preset text`.execute(db)
}
