import type { changePassword as changePasswordCall } from '../../contract/passwords.ts'
import { passwordUpdated } from '../../domain/sentences/session.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, failedSignIn, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { notifyAccountChanged } from '../writing/account-changed.ts'
import { checkPassword } from './check-password.ts'
import { revokeSessions } from './open-session.ts'
import { hashPassword } from './password-hash.ts'
import { voidLinks } from './password-links.ts'
import { faultOfPassword } from './password-rules.ts'

export const passwordChanged = { message: passwordUpdated }

/** Counts the current password like a sign-in, because an open session must not let it be guessed. */
export async function changePassword(
  db: Db,
  { body }: VerbInput<typeof changePasswordCall>,
  exchange: Exchange,
): Promise<Outcome<{ message: string }>> {
  const { username, token_hash } = exchange.caller
  const fault = faultOfPassword(body.new_password, username)
  if (fault) return violation('new_password', fault)
  const checked = await checkPassword(db, exchange, username, body.current_password)
  if (!checked.ok) return checked
  const user = checked.answer
  if (!user) return failedSignIn(violation('current_password', 'Le mot de passe actuel n’est pas le bon.'))
  if (body.new_password === body.current_password) {
    return violation('new_password', 'Le nouveau mot de passe doit être différent de l’actuel.')
  }
  const password_hash = await hashPassword(body.new_password)
  return db.transaction().execute(async (trx): Promise<Outcome<{ message: string }>> => {
    const locked = await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .forUpdate()
      .executeTakeFirst()
    if (!locked) return conflict('PASSWORD_CHANGED', 'Ce mot de passe vient d’être changé ailleurs.')
    await setPassword(trx, user.id, password_hash, exchange.now, token_hash)
    await journal(trx, exchange, { action: 'password.change', entity: 'users', entity_id: user.id })
    await notifyAccountChanged(trx, exchange, user.id, 'password')
    return done(passwordChanged)
  })
}

export async function setPassword(
  trx: Trx,
  user_id: number,
  password_hash: string,
  now: Date,
  keptSession?: Buffer,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_hash, password_chosen: true })
    .where('id', '=', user_id)
    .execute()
  await voidLinks(trx, user_id, now)
  await revokeSessions(trx, { user_id, ...(keptSession ? { except: keptSession } : {}) }, now)
}
