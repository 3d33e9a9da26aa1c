import { type Kysely, sql } from 'kysely'

/**
 * Lines on copies and titles named who had and who awaited them, and why an act was not undone who had taken a number:
 * no forgetting reached either (src/server/http/journal.ts).
 */
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
  await sql`
    update acts_kept set reason = 'Son matricule ou son numéro est maintenant celui d’un autre lecteur.'
    where reason ~ '^Le (matricule|numéro de lecteur) .* est déjà celui '`.execute(db)
}
