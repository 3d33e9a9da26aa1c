import type { updateUser } from '../../contract/users.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, failedSignIn, type Outcome, violation } from '../http/outcome.ts'
import type { KnownUser } from '../session/check-password.ts'
import { checkOwnPassword, lockSame, passwordChanged } from '../session/second-factor.ts'
import { noteFactor, showFactor, wrongFactor } from '../session/show-second-factor.ts'
import type { AttemptAt } from '../session/sign-in-place.ts'

/** What shows that whoever changes their own address is the person, and not just at their open session. */
export type OwnProofs = { user: KnownUser; typed: string | undefined; noted: AttemptAt | null }

/**
 * Null where one's own address does not change; counts a password and a code like a sign-in. A reset link goes
 * to the address, so that it must be as hard to change as the password.
 */
export async function readOwnProofs(
  { params, body }: VerbInput<typeof updateUser>,
  exchange: Exchange,
): Promise<Outcome<OwnProofs | null>> {
  const { db } = exchange.environment
  if (body.email === undefined || params.id !== exchange.caller.user_id) return done(null)
  const before = await db.selectFrom('users').select('email').where('id', '=', params.id).executeTakeFirst()
  if (!before || before.email === body.email) return done(null)
  if (body.current_password === undefined) {
    return violation('current_password', 'Saisissez votre mot de passe pour changer votre adresse.')
  }
  const checked = await checkOwnPassword(db, exchange, body.current_password, 'current_password')
  if (!checked.ok) return checked
  const { answer: user } = checked
  if (user.has_factor && body.second_factor === undefined) {
    return violation('second_factor', 'Saisissez aussi le code de votre application, ou un code de secours.')
  }
  const noted = await noteFactor(db, exchange, user.id, body.second_factor)
  if (!noted.ok) return noted
  return done({ user, typed: body.second_factor, noted: noted.answer })
}

/** Whether they still hold, in the transaction of the change; a code serves once. */
export async function holdOwnProofs(
  trx: Trx,
  { user, typed, noted }: OwnProofs,
  exchange: Exchange,
): Promise<Outcome<null>> {
  if (!(await lockSame(trx, user))) return passwordChanged
  const shown = await showFactor(trx, exchange, user.id, typed, noted)
  return shown.ok ? shown : failedSignIn(violation('second_factor', wrongFactor))
}
