import { type Kysely, sql } from 'kysely'

/** Up to this one, matricules may be on cards of readers who were lost with what a backup did not hold: none is given again (src/server/db/past.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table environment add column passed_matricule bigint not null default 0`.execute(db)
}
