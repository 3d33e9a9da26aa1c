import { type Kysely, sql } from 'kysely'

/**
 * In which past a library gave its last numbers: which database, and PostgreSQL's timeline. Where it is another at its opening,
 * numbers were given that are lost, and are passed over (src/server/db/past.ts).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table environment add column past text not null default ''`.execute(db)
  const { rows } = await sql<{ past: string }>`
    select system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as past from pg_control_system()`.execute(
    db,
  )
  await sql`update environment set past = ${rows[0]?.past ?? ''}`.execute(db)
}
