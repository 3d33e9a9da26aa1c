import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'

export async function logOut(trx: Trx, _input: unknown, exchange: Exchange): Promise<Outcome<null>> {
  const { user_id, token_hash } = exchange.caller
  await trx
    .updateTable('sessions')
    .set({ revoked_at: exchange.now.toISOString() })
    .where('token_hash', '=', token_hash)
    .execute()
  await journal(trx, exchange, { action: 'session.close', entity: 'users', entity_id: user_id })
  return done(null)
}
