import type { logInByLink as logInByLinkCall } from '../../contract/session.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { PublicExchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { isShut, tellShut } from './demonstration-accounts.ts'
import { openSession } from './open-session.ts'
import { findLinkHolder, linkEnded, useLink } from './password-links.ts'

export async function logInByLink(
  db: Db,
  { body }: VerbInput<typeof logInByLinkCall>,
  exchange: PublicExchange,
): Promise<Outcome<{ token: string }>> {
  const holder = await findLinkHolder(db, 'login', body.token, exchange.now)
  if (holder && (await isShut(db, exchange.environment, holder.id))) {
    tellShut(exchange.environment, holder.id)
    return linkEnded('login')
  }
  return db.transaction().execute(async (trx): Promise<Outcome<{ token: string }>> => {
    const link = await useLink(trx, 'login', body.token, exchange.now)
    if (!link.ok) return link
    return done({ token: await openSession(trx, exchange, link.answer) })
  })
}
