import type { choosePassword as choosePasswordCall } from '../../contract/passwords.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome, violation } from '../http/outcome.ts'
import { passwordChanged, setPassword } from './change-password.ts'
import { hashPassword } from './password-hash.ts'
import { faultOfPassword } from './password-rules.ts'

/** The first password of whoever was invited: there is no former one to ask for. */
export async function choosePassword(
  db: Db,
  { body }: VerbInput<typeof choosePasswordCall>,
  exchange: Exchange,
): Promise<Outcome<{ message: string }>> {
  const { username, token_hash, user_id } = exchange.caller
  const fault = faultOfPassword(body.new_password, username)
  if (fault) return violation('new_password', fault)
  const isChosen = conflict(
    'PASSWORD_CHANGED',
    'Vous avez déjà un mot de passe\u202f: changez-le dans «\u00a0Mon compte\u00a0».',
  )
  if (!(await unchosen(db, user_id).executeTakeFirst())) return isChosen
  const password_hash = await hashPassword(body.new_password)
  return db.transaction().execute(async (trx): Promise<Outcome<{ message: string }>> => {
    const locked = await unchosen(trx, user_id).forUpdate().executeTakeFirst()
    if (!locked) return isChosen
    await setPassword(trx, user_id, password_hash, exchange.now, token_hash)
    await journal(trx, exchange, { action: 'password.choose', entity: 'users', entity_id: user_id })
    return done(passwordChanged)
  })
}

const unchosen = (db: Db | Trx, user_id: number) =>
  db.selectFrom('users').select('id').where('id', '=', user_id).where('password_chosen', '=', false)
