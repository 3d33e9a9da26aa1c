import { sql } from 'kysely'

import type { Db } from '../db/handles.ts'

/**
 * Which of these sessions (hashes of their tokens, in hex) are still open to an enabled user, all in one look. How long a session may
 * last is not asked here: no stream lives that long without being admitted anew.
 */
export async function openSessions(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select encode(s.token_hash, 'hex') as hash from sessions s join users u on u.id = s.user_id
    where s.token_hash in (select decode(given, 'hex') from unnest(${hashes}::text[]) given)
      and s.revoked_at is null and u.enabled and u.deleted_at is null`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}
