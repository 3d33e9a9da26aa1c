import { type Kysely, sql } from 'kysely'

/** What one person may do beside the rights of the profile (`held`), or may not do of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table user_rights (
    user_id integer not null references users on delete cascade,
    right_code text not null references rights,
    held boolean not null,
    primary key (user_id, right_code)
  )`.execute(db)
}
