import { type Kysely, sql } from 'kysely'

const columns = [
  ['loanings', 'lent_device'],
  ['loanings', 'returned_device'],
  ['audit_journal', 'device_id'],
  ['settlements', 'device_id'],
  ['devices', 'device_id'],
] as const

/** A device may have any name, because the contract gives `device_id` no form. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of columns) {
    await sql`alter table ${sql.table(table)} alter column ${sql.id(column)} type text`.execute(db)
  }
}
