import { type Kysely, sql } from 'kysely'

/**
 * What a library of two million copies and ten million loans is read by: figures of a period read who borrowed what from the
 * index of its days and no page of the table, and a part of a bar code is found without looking at all of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index loanings_start`.execute(db)
  await sql`
    create index loanings_start on loanings (start_date desc, id desc) include (beneficiary, copy, site, status)
    where deleted_at is null`.execute(db)
  await sql`create index copies_bar_code_part on copies using gin (lower(bar_code) public.gin_trgm_ops)`.execute(
    db,
  )
}
