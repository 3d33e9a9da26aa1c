import { type Kysely, sql } from 'kysely'

/** Lines of the journal carry their transaction, to find what was written since a snapshot. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit_journal add column written_xid bigint`.execute(db)
  await sql`alter table audit_journal alter column written_xid set default pg_current_xact_id()::text::bigint`.execute(
    db,
  )
  await sql`create index audit_journal_written on audit_journal (written_xid) where written_xid is not null`.execute(
    db,
  )
}
