import { randomBytes } from 'node:crypto'

import type { Trx } from '../db/environment.ts'
import type { PublicExchange } from '../http/exchange.ts'
import { journal } from '../journal.ts'
import { hashToken } from './find-caller.ts'

/** 256 random bits, as an address or a header carries them. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Opens a session and answers its token, which is kept nowhere but with its holder. */
export async function openSession(trx: Trx, exchange: PublicExchange, user: { id: number }): Promise<string> {
  const token = newToken()
  const at = exchange.now.toISOString()
  await trx
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: user.id,
      created_at: at,
      last_used_at: at,
      device_id: null,
      revoked_at: null,
    })
    .execute()
  const caller = { user_id: user.id }
  await journal(trx, { ...exchange, caller }, { action: 'session.open', entity: 'users', entity_id: user.id })
  return token
}

/** Ends the sessions of a user, all of them or all but one. */
export async function revokeSessions(trx: Trx, user_id: number, now: Date, except?: Buffer): Promise<void> {
  let sessions = trx
    .updateTable('sessions')
    .set({ revoked_at: now.toISOString() })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
  if (except) sessions = sessions.where('token_hash', '!=', except)
  await sessions.execute()
}
