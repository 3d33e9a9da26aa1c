import { randomBytes } from 'node:crypto'

import type { addUser as addUserCall, User } from '../../contract/users.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { hashPassword } from '../session/password-hash.ts'
import { sendInvitation } from './invite-user.ts'
import { findVisibleUser, serializeUser } from './user-queries.ts'
import { checkUser } from './user-refusal.ts'
import { facts, writeRights, writeSites } from './write-user.ts'

type Input = VerbInput<typeof addUserCall>

/** Whoever is invited has a password that nobody knows, until they choose one. */
export const hashForNewUser = ({ body }: Input): Promise<string> =>
  hashPassword(body.password ?? randomBytes(32).toString('base64url'))

export async function addUser(
  trx: Trx,
  { body }: Input,
  exchange: Exchange,
  password_hash: string,
): Promise<Outcome<User>> {
  const { firstname = '', lastname = '', email = null, enabled = true } = body
  const isInvited = body.password === undefined
  if (isInvited && !enabled) {
    return violation(
      'enabled',
      'Une personne désactivée ne peut pas être invitée\u202f: donnez-lui un mot de passe.',
    )
  }
  const checked = await checkUser(trx, body, null, exchange)
  if (!checked.ok) return checked
  const { profile, sites, username } = checked.answer
  const { id } = await trx
    .insertInto('users')
    .values({
      username,
      firstname,
      lastname,
      email,
      enabled,
      password_hash,
      password_chosen: !isInvited,
      profile: profile.id,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeSites(trx, id, sites)
  if (body.rights) await writeRights(trx, id, { rights: body.rights, of: profile.rights })
  const row = await findVisibleUser(trx, id, exchange)
  if (!row) throw new Error('an added user is out of its author’s sight')
  // Without an address, their link is handed over by whoever asks for it (`linkToInvite`).
  if (isInvited && email !== null) {
    const refused = await sendInvitation(trx, { ...row, email }, exchange)
    if (refused) return refused
  }
  await journal(trx, exchange, {
    action: 'users.add',
    entity: 'users',
    entity_id: id,
    after: { ...facts(row), invited: isInvited },
  })
  return done(serializeUser(row, exchange))
}
