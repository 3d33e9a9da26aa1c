import { sql } from 'kysely'

import type { Db } from '../db/handles.ts'

/** Which sessions (token hashes, hex) are still open; their length is checked when a stream is renewed. */
export async function openSessions(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select encode(s.token_hash, 'hex') as hash from sessions s join users u on u.id = s.user_id
    where s.token_hash in (select decode(given, 'hex') from unnest(${hashes}::text[]) given)
      and s.revoked_at is null and u.enabled and u.deleted_at is null`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}
