import { createHash } from 'node:crypto'

import { accountName } from '../../domain/person-names.ts'
import type { Right } from '../../domain/rights.ts'
import type { Db } from '../db/handles.ts'
import type { Caller } from '../sight/caller.ts'

/** A session ends after 12 hours without a call, or 30 days after sign-in. */
export const sessionMs = { idle: 12 * 3600_000, longest: 30 * 24 * 3600_000 }
/** The last use is written at most this often. */
const noteUseMs = 60_000

/** Tokens are 256 random bits: one round of SHA-256 keeps them, none can be guessed from its hash. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Whether a session has neither been left alone for too long nor lasted too long. */
export const isAlive = (
  { created_at, last_used_at }: { created_at: string; last_used_at: string },
  now: Date,
): boolean =>
  now.getTime() - Date.parse(last_used_at) <= sessionMs.idle &&
  now.getTime() - Date.parse(created_at) <= sessionMs.longest

/** The key of a seal that an action carries, with whose it is. */
export type KnownSeal = {
  user_id: number
  seal_key: Buffer
  revoked: boolean
  /** The device of the session that it is of, where that one proved itself. */
  device_id: string | null
}

export type FoundCaller = { caller: Caller; seal: KnownSeal | null }

/**
 * The person behind a token, or null when it is unknown, ended or revoked, or its user disabled; with the seal of that id, in the same
 * look.
 */
export async function findCaller(
  db: Db,
  token: string,
  now: Date,
  seal_id: string | null = null,
): Promise<FoundCaller | null> {
  const token_hash = hashToken(token)
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('profiles', 'profiles.id', 'users.profile')
    .leftJoin('session_seals', (join) => join.on('session_seals.id', '=', seal_id))
    .leftJoin('sessions as sealing', 'sealing.token_hash', 'session_seals.session')
    .select((eb) => [
      'sessions.id as session_id',
      'sessions.device_id',
      'session_seals.user_id as sealed_by',
      'session_seals.seal_key',
      'session_seals.revoked_at as seal_revoked_at',
      'sealing.device_id as seal_device_id',
      'sessions.created_at',
      'sessions.last_used_at',
      'users.id as user_id',
      'users.username',
      'users.firstname',
      'users.lastname',
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
    .where('sessions.token_hash', '=', token_hash)
    .where('sessions.revoked_at', 'is', null)
    .where('users.enabled', '=', true)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  if (!isAlive(row, now)) return null
  const unused = now.getTime() - Date.parse(row.last_used_at)
  if (unused > noteUseMs) {
    await db
      .updateTable('sessions')
      .set({ last_used_at: now.toISOString() })
      .where('token_hash', '=', token_hash)
      .execute()
  }
  const { user_id, username, role, session_id, device_id, sealed_by, seal_key } = row
  const rights = new Set(row.rights ?? [])
  return {
    caller: {
      user_id,
      username,
      name: accountName(row),
      role,
      rights,
      sites: row.sites ?? [],
      token_hash,
      session_id,
      device_id,
    },
    seal:
      sealed_by === null || seal_key === null
        ? null
        : {
            user_id: sealed_by,
            seal_key,
            revoked: row.seal_revoked_at !== null,
            device_id: row.seal_device_id,
          },
  }
}
