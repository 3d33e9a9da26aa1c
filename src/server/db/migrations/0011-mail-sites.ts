import { type Kysely, sql } from 'kysely'

/** Keeps the sites whose loans a mail speaks of, because only who works there may see it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail_outbox add column if not exists sites integer[] check (cardinality(sites) > 0)`.execute(
    db,
  )
}
