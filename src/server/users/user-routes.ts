import * as profiles from '../../contract/profiles.ts'
import { takeSecondFactorAway as takeAwayCall } from '../../contract/second-factor.ts'
import * as call from '../../contract/users.ts'
import { change, changeAfter, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { addUser, hashForNewUser } from './add-user.ts'
import { addProfile, removeProfile, updateProfile } from './change-profiles.ts'
import { inviteUser, linkToInvite } from './invite-user.ts'
import { listProfiles, listRights } from './profile-queries.ts'
import { takeSecondFactorAway } from './take-second-factor-away.ts'
import { prepareUpdate, updateUser } from './update-user.ts'
import { listUsers } from './user-queries.ts'

export const userRoutes = [
  read(call.listUsers, async (db, { list }, exchange) => done(await listUsers(db, list, exchange))),
  changeAfter(call.addUser, hashForNewUser, addUser),
  changeAfter(call.updateUser, prepareUpdate, updateUser),
  change(call.inviteUser, inviteUser),
  read(call.linkToInvite, linkToInvite),
  change(takeAwayCall, takeSecondFactorAway),
  read(profiles.listProfiles, async (db, { list }) => done(await listProfiles(db, list))),
  change(profiles.addProfile, addProfile),
  change(profiles.updateProfile, updateProfile),
  change(profiles.removeProfile, removeProfile),
  read(profiles.listRights, async (db, { list }) => done(await listRights(db, list))),
]
