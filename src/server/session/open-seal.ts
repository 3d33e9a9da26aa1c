import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { readSeal, type SealedCall, sealedText, type sealFaults } from '../../contract/seal.ts'
import type { openSeal as openSealCall } from '../../contract/seal.ts'
import type { Db } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, refuse } from '../http/outcome.ts'
import type { KnownSeal } from './find-caller.ts'

const fault = (reason: (typeof sealFaults)[number], message: string) =>
  refuse({ status: 403, reason, message })

/** Whether this person sealed this action, because a file that somebody else wrote must not act for them. */
export function checkSeal(
  header: string,
  { known, user_id }: { known: KnownSeal | null; user_id: number },
  call: SealedCall,
): Outcome<null> {
  const claimed = readSeal(header)
  if (!claimed || !known || known.user_id !== user_id) {
    return fault(
      'SEAL_UNKNOWN',
      'Cette action n’a pas été faite dans une de vos sessions\u202f: confirmez-la.',
    )
  }
  if (known.revoked) {
    return fault(
      'SEAL_REVOKED',
      'La session qui a fait cette action a été fermée depuis un autre appareil\u202f: confirmez-la.',
    )
  }
  const expected = createHmac('sha256', known.seal_key).update(sealedText(call)).digest()
  const given = Buffer.from(claimed.mac, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? { ok: true, answer: null }
    : fault('SEAL_BROKEN', 'Cette action a été modifiée depuis qu’elle a été faite\u202f: confirmez-la.')
}

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
