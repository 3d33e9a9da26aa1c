import type { updateUser as updateUserCall, User } from '../../contract/users.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { setPassword } from '../session/change-password.ts'
import { revokeSessions } from '../session/open-session.ts'
import { hashPassword } from '../session/password-hash.ts'
import { voidLinks } from '../session/password-links.ts'
import { notifyAccountChanged } from '../writing/account-changed.ts'
import { keepersRefusal, lockKeepers } from './keepers.ts'
import { holdOwnProofs, type OwnProofs, readOwnProofs } from './own-address.ts'
import { findVisibleUser, serializeUser } from './user-queries.ts'
import { checkUser } from './user-refusal.ts'
import { facts, writeRights, writeSites } from './write-user.ts'

type Input = VerbInput<typeof updateUserCall>

type Prepared = { password_hash: string | null; proofs: Outcome<OwnProofs | null> }

export const prepareUpdate = async (input: Input, exchange: Exchange): Promise<Prepared> => ({
  password_hash: input.body.password === undefined ? null : await hashPassword(input.body.password),
  proofs: await readOwnProofs(input, exchange),
})

/** Changes only what the body names; who is disabled is signed out, and their links end. */
export async function updateUser(
  trx: Trx,
  { params: { id }, body }: Input,
  exchange: Exchange,
  { password_hash, proofs }: Prepared,
): Promise<Outcome<User>> {
  const { caller, now } = exchange
  if (!proofs.ok) return proofs
  const keepers = await lockKeepers(trx)
  // The next statement reads, because this one does not see what it waited for.
  await trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
  const before = await findVisibleUser(trx, id, exchange)
  if (!before) return notFound('Cet utilisateur n’existe pas.')
  const isOwn = id === caller.user_id
  if (isOwn && body.enabled === false) {
    return conflict('OWN_ACCOUNT', 'C’est votre compte\u202f: quelqu’un d’autre peut le désactiver.')
  }
  // An open session must not be enough to take the account over.
  if (isOwn && body.password !== undefined) {
    return violation('password', 'Changez votre propre mot de passe dans «\u00a0Mon compte\u00a0».')
  }
  const isOtherAddress = body.email !== undefined && body.email !== before.email
  if (isOwn && isOtherAddress) {
    // It may have changed since the proofs were read.
    const held = proofs.answer ? await holdOwnProofs(trx, proofs.answer, exchange) : changedSince
    if (!held.ok) return held
  }
  const checked = await checkUser(trx, body, before, exchange)
  if (!checked.ok) return checked
  const { profile, sites, username } = checked.answer
  const { firstname = before.firstname, lastname = before.lastname, enabled = before.enabled } = body
  const email = body.email === undefined ? before.email : body.email
  await trx
    .updateTable('users')
    .set({ username, firstname, lastname, email, enabled, profile: profile.id })
    .where('id', '=', id)
    .execute()
  if (body.sites) await writeSites(trx, id, sites)
  if (body.rights) await writeRights(trx, id, { rights: body.rights, of: profile.rights })
  if (password_hash !== null) await setPassword(trx, id, password_hash, now)
  if (email !== before.email || !enabled) await voidLinks(trx, id, now)
  if (!enabled) await revokeSessions(trx, { user_id: id }, now)
  if (isOtherAddress) await notifyAccountChanged(trx, exchange, id, 'address', before.email)
  const refused = await keepersRefusal(trx, keepers)
  if (refused) return refused

  const after = await findVisibleUser(trx, id, exchange)
  if (!after) throw new Error('a changed user left its author’s sight')
  if (password_hash !== null) {
    await journal(trx, exchange, { action: 'password.set', entity: 'users', entity_id: id })
    await notifyAccountChanged(trx, exchange, id, 'password')
  }
  if (JSON.stringify(facts(before)) !== JSON.stringify(facts(after))) {
    await journal(trx, exchange, {
      action: 'users.update',
      entity: 'users',
      entity_id: id,
      before: facts(before),
      after: facts(after),
    })
  }
  return done(serializeUser(after, exchange))
}

const changedSince = conflict(
  'CHANGED_SINCE',
  'Votre compte vient d’être modifié ailleurs\u202f: rouvrez-le.',
)
