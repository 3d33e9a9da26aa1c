import { createHash } from 'node:crypto'

import type { Right } from '../../domain/rights.ts'
import type { Db } from '../db/environment.ts'
import type { Caller } from '../http/exchange.ts'

/** A session ends after 12 hours without a call, or 30 days after sign-in. */
const idleMs = 12 * 3600_000
const longestMs = 30 * 24 * 3600_000
/** The last use is written at most this often. */
const noteUseMs = 60_000

/** Tokens are 256 random bits: one round of SHA-256 keeps them, none can be guessed from its hash. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The person behind a token, or null when it is unknown, ended or revoked, or its user disabled. */
export async function findCaller(db: Db, token: string, now: Date): Promise<Caller | null> {
  const token_hash = hashToken(token)
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('profiles', 'profiles.id', 'users.profile')
    .select((eb) => [
      'sessions.created_at',
      'sessions.last_used_at',
      'users.id as user_id',
      'users.username',
      'profiles.name as role',
      eb
        .selectFrom('profile_rights')
        .whereRef('profile_rights.profile', '=', 'users.profile')
        .select(({ fn }) => fn.agg<Right[] | null>('array_agg', ['right_code']).as('codes'))
        .as('rights'),
      eb
        .selectFrom('user_sites')
        .whereRef('user_sites.user_id', '=', 'users.id')
        .select(({ fn }) => fn.agg<number[] | null>('array_agg', ['site']).as('ids'))
        .as('sites'),
    ])
    .where('token_hash', '=', token_hash)
    .where('revoked_at', 'is', null)
    .where('users.enabled', '=', true)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const unused = now.getTime() - Date.parse(row.last_used_at)
  if (unused > idleMs || now.getTime() - Date.parse(row.created_at) > longestMs) return null
  if (unused > noteUseMs) {
    await db
      .updateTable('sessions')
      .set({ last_used_at: now.toISOString() })
      .where('token_hash', '=', token_hash)
      .execute()
  }
  const { user_id, username, role } = row
  return { user_id, username, role, rights: new Set(row.rights ?? []), sites: row.sites ?? [], token_hash }
}
