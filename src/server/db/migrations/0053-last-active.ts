import { type Kysely, sql } from 'kysely'

/** When somebody last lent, extended or returned outlives the loans that are cut from them; of those cut before, the day they were lent is all that is known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table last_cut_loans add column active_on date`,
    sql`update last_cut_loans set active_on = day`,
    sql`alter table last_cut_loans alter column active_on set not null`,
  ]
  for (const statement of statements) await statement.execute(db)
}
