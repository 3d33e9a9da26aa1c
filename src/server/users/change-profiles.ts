import type * as call from '../../contract/profiles.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { adminProfile, keeperRights, type Right } from '../../domain/rights.ts'
import type { Trx } from '../db/handles.ts'
import { takenField } from '../http/bind-resource.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { findProfile } from './profile-queries.ts'
import { keepersRefusal, lockKeepers } from './user-refusal.ts'

const missing = 'Ce profil n’existe pas.'
const orTaken = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => takenField(error, 'profiles', { name: 'Un profil porte déjà ce nom.' }),
  )

const facts = ({ name, rights, second_factor }: call.Profile) => ({ name, rights, second_factor })

async function giveRights(trx: Trx, profile: number, rights: readonly Right[]): Promise<void> {
  if (rights.length === 0) return
  await trx
    .insertInto('profile_rights')
    .values(rights.map((right_code) => ({ profile, right_code })))
    .execute()
}

export async function addProfile(
  trx: Trx,
  { body: { name, rights = [], second_factor = false } }: VerbInput<typeof call.addProfile>,
  exchange: Exchange,
): Promise<Outcome<call.Profile>> {
  let id = 0
  const refused = await orTaken(
    trx
      .insertInto('profiles')
      .values({ name, second_factor })
      .returning('id')
      .executeTakeFirstOrThrow()
      .then((row) => {
        id = row.id
      }),
  )
  if (refused) return refused
  await giveRights(trx, id, rights)
  const after = await findProfile(trx, id)
  if (!after) return notFound(missing)
  await journal(trx, exchange, {
    action: 'profiles.add',
    entity: 'profiles',
    entity_id: id,
    after: facts(after),
  })
  return done(after)
}

/** What is refused of Admin, which must be able to give back every right, or null. */
function adminRefusal({ name, rights }: VerbInput<typeof call.updateProfile>['body']) {
  if (name !== undefined && name !== adminProfile) {
    return violation('name', `Le profil «\u00a0${adminProfile}\u00a0» garde son nom.`)
  }
  if (rights && !keeperRights.every((right) => rights.includes(right))) {
    return violation(
      'rights',
      `Le profil «\u00a0${adminProfile}\u00a0» garde la gestion des droits et celle des utilisateurs.`,
    )
  }
  return null
}

/** Changes only what the body names; rights change from the next call on, a second factor is asked at the next sign-in. */
export async function updateProfile(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof call.updateProfile>,
  exchange: Exchange,
): Promise<Outcome<call.Profile>> {
  const keepers = await lockKeepers(trx)
  const before = await findProfile(trx, id)
  if (!before) return notFound(missing)
  const kept = before.is_admin ? adminRefusal(body) : null
  if (kept) return kept
  const { name = before.name, second_factor = before.second_factor, rights } = body
  if (name !== before.name || second_factor !== before.second_factor) {
    const refused = await orTaken(
      trx.updateTable('profiles').set({ name, second_factor }).where('id', '=', id).execute(),
    )
    if (refused) return refused
  }
  if (rights) {
    await trx.deleteFrom('profile_rights').where('profile', '=', id).execute()
    await giveRights(trx, id, rights)
    const refused = await keepersRefusal(trx, keepers)
    if (refused) return refused
  }
  const after = await findProfile(trx, id)
  if (!after) return notFound(missing)
  if (JSON.stringify(facts(before)) !== JSON.stringify(facts(after))) {
    await journal(trx, exchange, {
      action: 'profiles.update',
      entity: 'profiles',
      entity_id: id,
      before: facts(before),
      after: facts(after),
    })
  }
  return done(after)
}

export async function removeProfile(
  trx: Trx,
  { params: { id } }: VerbInput<typeof call.removeProfile>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  await trx.selectFrom('profiles').select('id').where('id', '=', id).forUpdate().execute()
  const before = await findProfile(trx, id)
  if (!before) return notFound(missing)
  const { is_admin, user_count: count } = before
  if (is_admin)
    return conflict('IN_USE', `Le profil «\u00a0${adminProfile}\u00a0» ne peut pas être supprimé.`)
  if (count > 0) {
    const said =
      count === 1
        ? 'Une personne a ce profil\u202f: donnez-lui-en un autre avant de le supprimer.'
        : `${frenchNumber(count)} personnes ont ce profil\u202f: donnez-leur-en un autre avant de le supprimer.`
    return conflict('IN_USE', said, { count })
  }
  await trx.deleteFrom('profiles').where('id', '=', id).execute()
  await journal(trx, exchange, {
    action: 'profiles.remove',
    entity: 'profiles',
    entity_id: id,
    before: facts(before),
    after: null,
  })
  return done(null)
}
