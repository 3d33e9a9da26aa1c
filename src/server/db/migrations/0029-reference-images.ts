import { type Kysely, sql } from 'kysely'

/** A reference's image is named by its version, which is also what lets an `<img>` ask for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No call could give one before.
  await sql`update "references" set image_path = null where image_path is not null`.execute(db)
  await sql`alter table "references" rename column image_path to image_version`.execute(db)
  await sql`
    alter table "references" add constraint references_image_version
    check (image_version ~ '^[0-9a-f]{32}$')`.execute(db)
}
