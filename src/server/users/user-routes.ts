import * as profiles from '../../contract/profiles.ts'
import { takeSecondFactorAway as takeAwayCall } from '../../contract/second-factor.ts'
import * as call from '../../contract/users.ts'
import type { User } from '../../contract/users.ts'
import type { Trx } from '../db/handles.ts'
import { change, changeAfter, changeUnkept, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'
import { revokeSessions } from '../session/open-session.ts'
import { forgetSecondFactor } from '../session/second-factor.ts'
import { notifyAccountChanged } from '../writing/account-changed.ts'
import { addUser, hashForNewUser } from './add-user.ts'
import { addProfile, removeProfile, updateProfile } from './change-profiles.ts'
import { inviteUser, linkToInvite } from './invite-user.ts'
import { listProfiles, listRights } from './profile-queries.ts'
import { prepareUpdate, updateUser } from './update-user.ts'
import { findVisibleUser, listUsers, serializeUser } from './user-queries.ts'
import { touchRefusal } from './user-refusal.ts'

/** For a lost telephone: whoever asks must know the person, for a password alone opens the account again. */
async function takeSecondFactorAway(
  trx: Trx,
  { params: { id } }: VerbInput<typeof takeAwayCall>,
  exchange: Exchange,
): Promise<Outcome<User>> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
  const row = await findVisibleUser(trx, id, exchange)
  if (!row) return notFound('Cet utilisateur n’existe pas.')
  // An open session must not be enough to weaken the account.
  if (id === exchange.caller.user_id) {
    return conflict(
      'OWN_ACCOUNT',
      'C’est votre compte\u202f: retirez le vôtre dans «\u00a0Mon compte\u00a0».',
    )
  }
  const refused = touchRefusal(row, exchange)
  if (refused) return refused
  if (!row.second_factor) return conflict('GONE', 'Cette personne n’a pas de deuxième facteur.')
  await forgetSecondFactor(trx, id)
  await revokeSessions(trx, { user_id: id }, exchange.now)
  await journal(trx, exchange, { action: 'second_factor.take_away', entity: 'users', entity_id: id })
  await notifyAccountChanged(trx, exchange, id, 'factor_removed')
  return done(serializeUser({ ...row, second_factor: false }, exchange))
}

export const userRoutes = [
  read(call.listUsers, async (db, { list }, exchange) => done(await listUsers(db, list, exchange))),
  changeAfter(call.addUser, hashForNewUser, addUser),
  changeAfter(call.updateUser, prepareUpdate, updateUser),
  change(call.inviteUser, inviteUser),
  changeUnkept(call.linkToInvite, linkToInvite),
  change(takeAwayCall, takeSecondFactorAway),
  read(profiles.listProfiles, async (db, { list }) => done(await listProfiles(db, list))),
  change(profiles.addProfile, addProfile),
  change(profiles.updateProfile, updateProfile),
  change(profiles.removeProfile, removeProfile),
  read(profiles.listRights, async (db, { list }) => done(await listRights(db, list))),
]
