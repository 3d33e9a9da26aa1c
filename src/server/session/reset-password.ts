import type { resetPassword as resetPasswordCall } from '../../contract/passwords.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { PublicExchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { tellAccountChanged } from '../writing/account-changed.ts'
import { passwordChanged, setPassword } from './change-password.ts'
import { hashPassword } from './password-hash.ts'
import { findLinkHolder, linkEnded, useLink } from './password-links.ts'
import { faultOfPassword } from './password-rules.ts'
import { hasSecondFactor } from './show-second-factor.ts'
import { accountOf, clearCounters } from './sign-in-attempts.ts'

/** A refused password leaves the link usable; success ends every session of the person. */
export async function resetPassword(
  db: Db,
  { params, body }: VerbInput<typeof resetPasswordCall>,
  exchange: PublicExchange,
): Promise<Outcome<{ message: string }>> {
  const { now } = exchange
  const holder = await findLinkHolder(db, 'reset', params.token, now)
  if (!holder) return linkEnded('reset')
  const fault = faultOfPassword(body.password, holder.username)
  if (fault) return violation('password', fault)
  const password_hash = await hashPassword(body.password)
  return db.transaction().execute(async (trx): Promise<Outcome<{ message: string }>> => {
    const link = await useLink(trx, 'reset', params.token, now)
    if (!link.ok) return link
    await setPassword(trx, link.answer.id, password_hash, now)
    const { id } = link.answer
    // A mailbox is no second factor: it must not set guesses of codes free.
    if (!(await hasSecondFactor(trx, id))) await clearCounters(trx, [{ limit: 'account', of: accountOf(id) }])
    await journal(
      trx,
      { ...exchange, caller: { user_id: id } },
      { action: 'password.reset', entity: 'users', entity_id: id },
    )
    await tellAccountChanged(trx, exchange, id, 'password')
    return done(passwordChanged)
  })
}
