import { type Kysely, sql } from 'kysely'

/** Without a mail server a mail becomes a file, which is not sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail_outbox drop constraint mail_outbox_status_check,
    add constraint mail_outbox_status_check check (status in ('queued', 'sent', 'written', 'failed', 'stopped'))`.execute(
    db,
  )
}
