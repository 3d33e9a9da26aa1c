import type { logInByLink as logInByLinkCall } from '../../contract/session.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { PublicExchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import { isShut, tellShut } from './demonstration-accounts.ts'
import { openProven } from './open-proven.ts'
import { findLinkHolder, linkEnded, useLink } from './password-links.ts'

export async function logInByLink(
  db: Db,
  { body }: VerbInput<typeof logInByLinkCall>,
  exchange: PublicExchange,
): Promise<Outcome<{ token: string }>> {
  const holder = await findLinkHolder(db, 'login', body.token, exchange.now)
  if (!holder) return linkEnded('login')
  if (await isShut(db, exchange.environment, holder.id)) {
    tellShut(exchange.environment, holder.id)
    return linkEnded('login')
  }
  const proof = { user_id: holder.id, second_factor: body.second_factor }
  return openProven(db, exchange, proof, (trx) => useLink(trx, 'login', body.token, exchange.now))
}
