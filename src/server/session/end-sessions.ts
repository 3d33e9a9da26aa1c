import { sql } from 'kysely'

import type { endSession as endSessionCall, endSessions as endSessionsCall } from '../../contract/sessions.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, forbidden, notFound, type Outcome } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { usersInSight } from '../sight/sight.ts'
import { revokeSessions } from './open-session.ts'

/** Ends one's own session, or anybody's with the right to manage users, as for a lost tablet. */
export async function endSession(
  trx: Trx,
  { params }: VerbInput<typeof endSessionCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const { now } = exchange
  const session = await trx
    .selectFrom('sessions')
    .select(['user_id', 'device_id'])
    .where('id', '=', params.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!session || !(await isTheirs(trx, session.user_id, exchange)))
    return notFound('Cette session n’existe pas ou n’est plus ouverte.')
  await revokeSessions(trx, { session_id: params.id }, now)
  await journal(trx, exchange, {
    action: 'session.revoke',
    entity: 'users',
    entity_id: session.user_id,
    ...(session.device_id === null ? {} : { device_id: session.device_id }),
  })
  return done(null)
}

export async function endSessions(
  trx: Trx,
  { body }: VerbInput<typeof endSessionsCall>,
  exchange: Exchange,
): Promise<Outcome<{ ended: number }>> {
  const { caller, now } = exchange
  const user_id = body.user ?? caller.user_id
  if (user_id !== caller.user_id && !caller.rights.has('USER_EDIT')) {
    return forbidden('Vous n’avez pas le droit de mettre fin aux sessions d’une autre personne.')
  }
  if (!(await isTheirs(trx, user_id, exchange))) return notFound('Cet utilisateur n’existe pas.')
  const ended = await revokeSessions(trx, { user_id, except: caller.token_hash }, now)
  if (ended > 0) {
    await journal(trx, exchange, {
      action: 'session.revoke_all',
      entity: 'users',
      entity_id: user_id,
      after: { ended },
    })
  }
  return done({ ended })
}

/** Whether the caller may end a person's sessions: their own, or those of users whom they manage. */
async function isTheirs(trx: Trx, user_id: number, { caller, sight }: Exchange): Promise<boolean> {
  if (user_id === caller.user_id) return true
  if (!caller.rights.has('USER_EDIT')) return false
  const { rows } = await sql`select from users u where u.id = ${user_id} and ${usersInSight(sight)}`.execute(
    trx,
  )
  return rows.length > 0
}
