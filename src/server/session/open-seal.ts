import { randomBytes, randomUUID } from 'node:crypto'

import type { openSeal as openSealCall } from '../../contract/sessions.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import type { Db } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, refuse } from '../http/outcome.ts'

/** A session needs one, but tabs that start together or an emptied store may ask again. */
const mostOfSession = 20

export async function openSeal(
  db: Db,
  _input: unknown,
  { caller, now }: Exchange,
): Promise<Outcome<AnswerOf<typeof openSealCall>>> {
  const id = randomUUID()
  const seal_key = randomBytes(32)
  const made = await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('sessions')
      .select('id')
      .where('token_hash', '=', caller.token_hash)
      .forUpdate()
      .execute()
    const { held } = await trx
      .selectFrom('session_seals')
      .select((eb) => eb.fn.countAll<number>().as('held'))
      .where('session', '=', caller.token_hash)
      .executeTakeFirstOrThrow()
    if (held >= mostOfSession) return false
    await trx
      .insertInto('session_seals')
      .values({
        id,
        session: caller.token_hash,
        user_id: caller.user_id,
        seal_key,
        created_at: now.toISOString(),
        revoked_at: null,
      })
      .execute()
    return true
  })
  if (made) return done({ id, key: seal_key.toString('base64url') })
  return refuse({
    status: 429,
    reason: 'TOO_MANY_SEALS',
    message: 'Cette session a demandé trop de clés. Reconnectez-vous.',
    retryAfter: 3600,
  })
}
