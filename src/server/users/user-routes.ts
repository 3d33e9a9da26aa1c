import { randomBytes } from 'node:crypto'

import * as profiles from '../../contract/profiles.ts'
import { takeSecondFactorAway as takeAwayCall } from '../../contract/second-factor.ts'
import * as call from '../../contract/users.ts'
import type { User } from '../../contract/users.ts'
import { type Right, rightCodes } from '../../domain/rights.ts'
import type { Trx } from '../db/handles.ts'
import { change, changeAfter, changeUnkept, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, failedSignIn, notFound, type Outcome, violation } from '../http/outcome.ts'
import { setPassword } from '../session/change-password.ts'
import type { KnownUser } from '../session/check-password.ts'
import { revokeSessions } from '../session/open-session.ts'
import { hashPassword } from '../session/password-hash.ts'
import { voidLinks } from '../session/password-links.ts'
import { checkOwnPassword, forgetSecondFactor, lockSame, passwordChanged } from '../session/second-factor.ts'
import { noteFactor, showFactor, wrongFactor } from '../session/show-second-factor.ts'
import type { AttemptAt } from '../session/sign-in-place.ts'
import { notifyAccountChanged } from '../writing/account-changed.ts'
import { addProfile, removeProfile, updateProfile } from './change-profiles.ts'
import { inviteUser, linkToInvite, sendInvitation } from './invite-user.ts'
import { listProfiles, listRights } from './profile-queries.ts'
import { findVisibleUser, listUsers, serializeUser, type UserRow } from './user-queries.ts'
import { checkUser, keepersRefusal, lockKeepers, touchRefusal } from './user-refusal.ts'

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

type Input = VerbInput<typeof call.addUser>

/** Whoever is invited has a password that nobody knows, until they choose one. */
const hashForNewUser = ({ body }: Input): Promise<string> =>
  hashPassword(body.password ?? randomBytes(32).toString('base64url'))

async function addUser(
  trx: Trx,
  { body }: Input,
  exchange: Exchange,
  password_hash: string,
): Promise<Outcome<call.User>> {
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

type Update = VerbInput<typeof call.updateUser>

type Prepared = { password_hash: string | null; proofs: Outcome<OwnProofs | null> }

const prepareUpdate = async (input: Update, exchange: Exchange): Promise<Prepared> => ({
  password_hash: input.body.password === undefined ? null : await hashPassword(input.body.password),
  proofs: await readOwnProofs(input, exchange),
})

/** Changes only what the body names; who is disabled is signed out, and their links end. */
async function updateUser(
  trx: Trx,
  { params: { id }, body }: Update,
  exchange: Exchange,
  { password_hash, proofs }: Prepared,
): Promise<Outcome<call.User>> {
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

/** What shows that whoever changes their own address is the person, and not just at their open session. */
type OwnProofs = { user: KnownUser; typed: string | undefined; noted: AttemptAt | null }

/**
 * Null where one's own address does not change; counts a password and a code like a sign-in. A reset link goes
 * to the address, so that it must be as hard to change as the password.
 */
async function readOwnProofs(
  { params, body }: VerbInput<typeof call.updateUser>,
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
async function holdOwnProofs(
  trx: Trx,
  { user, typed, noted }: OwnProofs,
  exchange: Exchange,
): Promise<Outcome<null>> {
  if (!(await lockSame(trx, user))) return passwordChanged
  const shown = await showFactor(trx, exchange, user.id, typed, noted)
  return shown.ok ? shown : failedSignIn(violation('second_factor', wrongFactor))
}

/** No site is every site. */
async function writeSites(trx: Trx, user_id: number, sites: readonly number[]): Promise<void> {
  await trx.deleteFrom('user_sites').where('user_id', '=', user_id).execute()
  if (sites.length === 0) return
  await trx
    .insertInto('user_sites')
    .values(sites.map((site) => ({ user_id, site })))
    .execute()
}

/** Keeps where these rights differ from the profile's. */
async function writeRights(
  trx: Trx,
  user_id: number,
  { rights, of }: { rights: readonly Right[]; of: readonly Right[] },
): Promise<void> {
  await trx.deleteFrom('user_rights').where('user_id', '=', user_id).execute()
  const own = rightCodes
    .filter((code) => rights.includes(code) !== of.includes(code))
    .map((right_code) => ({ user_id, right_code, held: rights.includes(right_code) }))
  if (own.length > 0) await trx.insertInto('user_rights').values(own).execute()
}

/** What the journal keeps of a user: no password, and of rights those that are not the profile's. */
const facts = ({ username, firstname, lastname, email, role, sites, enabled, ...user }: UserRow) => ({
  username,
  firstname,
  lastname,
  email,
  role,
  added_rights: user.added_rights,
  removed_rights: user.removed_rights,
  sites: sites.map(({ name }) => name),
  enabled,
})

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
