import { createHash } from 'node:crypto'

import { sql } from 'kysely'

import type { CurrentUser } from '../../contract/session.ts'
import { accountName } from '../../domain/person-names.ts'
import type { Right } from '../../domain/rights.ts'
import type { Db } from '../db/handles.ts'
import { rightsOfUser } from '../library-facts/held-rights.ts'
import type { RecalledSession } from '../http/recalled-session.ts'
import type { Caller } from '../visibility/caller.ts'

export const sessionMs = { idle: 12 * 3600_000, longest: 30 * 24 * 3600_000 }
/** The last use is written at most this often. */
const noteUseMs = 60_000

/** One SHA-256 is enough, because tokens are 256 random bits. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export const isAlive = (
  { created_at, last_used_at }: { created_at: string; last_used_at: string },
  now: Date,
): boolean =>
  now.getTime() - Date.parse(last_used_at) <= sessionMs.idle &&
  now.getTime() - Date.parse(created_at) <= sessionMs.longest

export type KnownSeal = {
  user_id: number
  seal_key: Buffer
  revoked: boolean
  /** The device of its session, where that one proved itself. */
  device_id: string | null
}

/** Whoever owes a password or a second factor may only choose it; `out_of_service` are the library's sites that are. */
export type FoundCaller = {
  caller: Caller
  seal: KnownSeal | null
  due: Due
  out_of_service: readonly number[]
}

type Due = NonNullable<CurrentUser['due']> | null

type NamedSession = { token: string; seal_id: string | null }

/** The person behind a token and the seal of that id; null for a session or user that is no longer valid. */
export async function findCaller(db: Db, named: NamedSession, now: Date): Promise<FoundCaller | null> {
  const token_hash = hashToken(named.token)
  const { rows } = await sessionOf(token_hash, named.seal_id).execute(db)
  const [row] = rows
  const memory = memoryOf(db)
  if (!row || !isAlive(row, now)) {
    memory.delete(memoryKey(token_hash, named))
    return null
  }
  if (memory.size >= mostRemembered) memory.clear()
  memory.set(memoryKey(token_hash, named), row)
  if (isUseToBeNoted(row, now)) {
    await db
      .updateTable('sessions')
      .set({ last_used_at: now.toISOString() })
      .where('token_hash', '=', token_hash)
      .execute()
  }
  return callerOf(row, token_hash)
}

const mostRemembered = 2000
const memories = new WeakMap<Db, Map<string, SessionRow>>()

function memoryOf(db: Db): Map<string, SessionRow> {
  const known = memories.get(db) ?? new Map<string, SessionRow>()
  memories.set(db, known)
  return known
}

const memoryKey = (token_hash: Buffer, { seal_id }: NamedSession) =>
  `${token_hash.toString('base64')} ${seal_id ?? ''}`

export type RecalledCaller = FoundCaller & RecalledSession

/** Who last called by that token, to be believed only after `whileStill`; null where nobody is remembered. */
export function recallCaller(db: Db, named: NamedSession, now: Date): RecalledCaller | null {
  const token_hash = hashToken(named.token)
  const row = memoryOf(db).get(memoryKey(token_hash, named))
  if (!row || !isAlive(row, now) || isUseToBeNoted(row, now)) return null
  const known = JSON.stringify(row)
  return {
    ...callerOf(row, token_hash),
    asked: sessionOf(token_hash, named.seal_id),
    isStill: (found) => JSON.stringify(found) === known,
  }
}

const isUseToBeNoted = ({ last_used_at }: SessionRow, now: Date) =>
  now.getTime() - Date.parse(last_used_at) > noteUseMs

type SessionRow = {
  session_id: number
  device_id: string | null
  sealed_by: number | null
  seal_key: Buffer | null
  seal_revoked_at: string | null
  seal_device_id: string | null
  created_at: string
  last_used_at: string
  user_id: number
  username: string
  firstname: string
  lastname: string
  role: string
  rights: Right[]
  sites: number[] | null
  out_of_service: number[] | null
  due: Due
}

/** In words of SQL about `s`, `u` and `p`; a password first, because setting up a second factor asks for it. */
export const dueOf = sql<Due>`case when not u.password_chosen then 'password'
      when s.second_factor_due and p.second_factor and not exists (
        select from user_factors f where f.user_id = u.id and f.confirmed_at is not null) then 'second_factor' end`

const sessionOf = (token_hash: Buffer, seal_id: string | null) =>
  sql<SessionRow>`
    select s.id as session_id, s.device_id, sealed.user_id as sealed_by, sealed.seal_key,
      sealed.revoked_at as seal_revoked_at, sealing.device_id as seal_device_id, s.created_at, s.last_used_at,
      u.id as user_id, u.username, u.firstname, u.lastname, p.name as role,
      ${rightsOfUser} as rights,
      (select array_agg(site) from user_sites where user_id = u.id) as sites,
      (select array_agg(o.id order by o.id) from sites o where not o.enabled) as out_of_service,
      ${dueOf} as due
    from sessions s join users u on u.id = s.user_id join profiles p on p.id = u.profile
      left join session_seals sealed on sealed.id = ${seal_id}
      left join sessions sealing on sealing.token_hash = sealed.session
    where s.token_hash = ${token_hash} and s.revoked_at is null and u.enabled and u.deleted_at is null`

function callerOf(row: SessionRow, token_hash: Buffer): FoundCaller {
  const { user_id, username, role, session_id, device_id, sealed_by, seal_key } = row
  return {
    caller: {
      user_id,
      username,
      name: accountName(row),
      role,
      rights: new Set(row.rights),
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
    due: row.due,
    out_of_service: row.out_of_service ?? [],
  }
}
