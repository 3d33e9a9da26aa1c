import { type Kysely, sql } from 'kysely'

/** A reader's balance was offered to files and thrown away: what gave it gives nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['imports', 'import_mappings']) {
    await sql`
      update ${sql.table(table)} set
        mapping = replace(mapping::text, '"wallet_amount"', 'null')::jsonb,
        choices = choices #- '{policies,wallet_amount}'
      where mapping::text like '%"wallet_amount"%' or choices #> '{policies,wallet_amount}' is not null`.execute(
      db,
    )
  }
}
