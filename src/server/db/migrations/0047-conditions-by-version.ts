import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Anybody may ask whether a link to conditions still opens.
  await sql`
    create index loanings_conditions on loanings (conditions_version, (coalesce(return_date, 'infinity'::date)))
    where conditions_version is not null and deleted_at is null and status <> 'cancelled'`.execute(db)
}
