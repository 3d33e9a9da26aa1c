import { type Kysely, sql } from 'kysely'

/** Lines on copies and titles named who had and who awaited them, which no forgetting reached (src/server/http/journal.ts). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update audit_journal set before = before - '{loaning,reservations}'::text[], after = after - '{loaning,reservations}'::text[]
    where entity = 'copies'
      and (before ?| '{loaning,reservations}'::text[] or after ?| '{loaning,reservations}'::text[])`.execute(
    db,
  )
  await sql`
    update audit_journal set before = before - 'copies', after = after - 'copies'
    where entity = 'references' and (before ? 'copies' or after ? 'copies')`.execute(db)
}
