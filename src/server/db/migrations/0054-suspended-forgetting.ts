import { type Kysely, sql } from 'kysely'

/** A yes to the nightly forgetting may be suspended; who did stands beside who had given it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table forgetting_agreements add column suspended_at timestamptz,
    add column suspended_by integer references users,
    add check ((suspended_at is null) = (suspended_by is null))`.execute(db)
}
