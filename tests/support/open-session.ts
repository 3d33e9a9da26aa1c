import { randomBytes } from 'node:crypto'

import type { Db } from '../../src/server/db/handles.ts'
import { hashToken } from '../../src/server/session/find-caller.ts'

/** Signs somebody in without their password; answers the token. Of a furnished library the first user is the administrator. */
export async function openSession(
  db: Db,
  {
    user_id = 1,
    device_id = null,
    at = new Date(),
  }: { user_id?: number; device_id?: string | null; at?: Date } = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const instant = at.toISOString()
  await db
    .insertInto('sessions')
    .values({ token_hash: hashToken(token), user_id, created_at: instant, last_used_at: instant, device_id })
    .execute()
  return token
}
