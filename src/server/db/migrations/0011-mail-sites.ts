import { type Kysely, sql } from 'kysely'

/** A mail says of which sites' loans it speaks, so that it is shown to those to whom these sites are open. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail_outbox add column if not exists sites integer[] check (cardinality(sites) > 0)`.execute(
    db,
  )
}
