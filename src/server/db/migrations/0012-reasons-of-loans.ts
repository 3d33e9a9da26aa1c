import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Of two reasons with one name, the younger one gets its number behind it.
  await sql`
    update reasons set name = name || ' (' || id || ')' where deleted_at is null and exists (
      select from reasons elder where elder.deleted_at is null and elder.type = reasons.type
        and search_text(elder.name) = search_text(reasons.name) and elder.id < reasons.id)`.execute(db)
  await sql`create unique index if not exists reasons_name on reasons (type, search_text(name)) where deleted_at is null`.execute(
    db,
  )
  for (const column of ['delay_reason', 'free_reason']) {
    await sql`create index if not exists ${sql.ref(`loanings_${column}`)} on loanings (${sql.ref(column)})
      where ${sql.ref(column)} is not null`.execute(db)
  }
}
