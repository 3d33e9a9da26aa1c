import { sql } from 'kysely'

import type { updateUser } from '../../contract/users.ts'
import { rightSentences } from '../../domain/right-sentences.ts'
import { keeperRights, type Right } from '../../domain/rights.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, forbidden, type Refused, violation } from '../http/outcome.ts'
import { heldRights } from '../library-facts/held-rights.ts'
import { faultOfPassword } from '../session/password-rules.ts'
import type { Caller } from '../visibility/caller.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { mayTouch, type UserRow } from './user-queries.ts'

type Entries = VerbInput<typeof updateUser>['body']
type Profile = { id: number; name: string; rights: Right[]; second_factor: boolean }

type CheckedUser = { profile: Profile; sites: readonly number[]; username: string }

/** What a user would be with these entries, or why they may not have them; `before` is null for a new one. */
export async function checkUser(
  trx: Trx,
  entries: Entries,
  before: UserRow | null,
  exchange: Exchange,
): Promise<{ ok: true; answer: CheckedUser } | Refused> {
  const { caller } = exchange
  const untouchable = before && touchRefusal(before, exchange)
  if (untouchable) return untouchable

  const username = entries.username ?? before?.username ?? ''
  if (username !== before?.username && (await isTaken(trx, username, before?.id ?? 0))) {
    return violation('username', 'Ce nom d’utilisateur est déjà pris.')
  }
  const fault = entries.password === undefined ? null : faultOfPassword(entries.password, username)
  if (fault !== null) return violation('password', fault)

  const profile = await profileOfRole(trx, entries.role ?? before?.profile ?? 0)
  if (!profile) return violation('role', 'Ce profil n’existe pas.')
  if (profile.id !== before?.profile && !mayTouch(caller, profile.rights)) {
    return violation(
      'role',
      `Ce profil donne un droit que vous n’avez pas\u202f: ${lackedBy(caller, profile.rights)}`,
    )
  }
  const isLetOff = before && profile.id !== before.profile && !profile.second_factor
  if (isLetOff && !caller.rights.has('PARAMETER_LAW') && (await asksSecondFactor(trx, before.profile))) {
    return violation(
      'role',
      'Le profil de cette personne demande un deuxième facteur, et celui-ci non\u202f: quelqu’un qui gère les droits des profils peut l’en dispenser.',
    )
  }
  if (entries.rights && !mayTouch(caller, entries.rights)) {
    return violation(
      'rights',
      `Vous ne donnez pas un droit que vous n’avez pas\u202f: ${lackedBy(caller, entries.rights)}`,
    )
  }
  const had = before?.sites.map(({ id }) => id) ?? []
  const sites = entries.sites ? [...new Set(entries.sites)] : had
  const refused = await sitesRefusal(trx, sites, had, exchange)
  return refused ?? { ok: true, answer: { profile, sites, username } }
}

function lackedBy({ rights: held }: Caller, rights: readonly Right[]): string {
  const lacking = rights.find((right) => !held.has(right))
  return `«\u00a0${lacking ? rightSentences[lacking] : ''}\u00a0».`
}

const holdsMore =
  'Cette personne a des droits que vous n’avez pas\u202f: quelqu’un qui gère les droits des profils peut changer son compte.'

/** Why the caller may not touch a user they see, or null. */
export const touchRefusal = (user: UserRow, { caller }: Exchange): Refused | null =>
  mayTouch(caller, user.rights) ? null : forbidden(holdsMore)

async function isTaken(trx: Trx, username: string, by: number): Promise<boolean> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('username', '=', username)
    .where('id', '<>', by)
    .executeTakeFirst()
  return other !== undefined
}

/** By its id, or by its name. */
async function profileOfRole(trx: Trx, role: number | string): Promise<Profile | null> {
  const { rows } = await sql<Profile>`
    select p.id, p.name, p.second_factor,
      coalesce((select array_agg(right_code) from profile_rights where profile = p.id), '{}') as rights
    from profiles p
    where ${typeof role === 'number' ? sql`p.id = ${role}` : sql`search_text(p.name) = search_text(${role})`}
    for key share of p`.execute(trx)
  return rows[0] ?? null
}

async function asksSecondFactor(trx: Trx, profile: number): Promise<boolean> {
  const { second_factor } = await trx
    .selectFrom('profiles')
    .select('second_factor')
    .where('id', '=', profile)
    .executeTakeFirstOrThrow()
  return second_factor
}

async function sitesRefusal(
  trx: Trx,
  sites: readonly number[],
  had: readonly number[],
  { visibility }: Exchange,
): Promise<Refused | null> {
  if (sites.length === 0 && visibility.open !== null) {
    return violation('sites', 'Choisissez au moins un de vos sites.')
  }
  const given = sites.filter((site) => !had.includes(site))
  if (given.length === 0) return null
  const known = await trx
    .selectFrom('sites')
    .select('id')
    .where('id', '=', sql<number>`any(${given}::int[])`)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .execute()
  const isEachOpen = known.length === given.length && given.every((site) => isSiteOpen(visibility, site))
  return isEachOpen ? null : violation('sites', 'Un de ces sites n’existe pas ou ne vous est pas ouvert.')
}

/** Enabled people who hold both rights, and those of them who work at every site. */
type Keepers = { all: number; everywhere: number }

/** Of two changes that may take rights away, the second waits for the first; call it before other locks. */
export async function lockKeepers(trx: Trx): Promise<Keepers> {
  await sql`select from rights where code = 'PARAMETER_LAW' for no key update`.execute(trx)
  return readKeepers(trx)
}

async function readKeepers(trx: Trx): Promise<Keepers> {
  const { rows } = await sql<Keepers>`
    select count(*)::integer as "all", count(*) filter (
      where not exists (select from user_sites us where us.user_id = u.id))::integer as everywhere
    from users u where u.enabled and u.deleted_at is null and (
      select count(*) from ${heldRights(sql`u.id`, sql`u.profile`)} held
      where held.right_code = any(${[...keeperRights]})
    ) = ${keeperRights.length}`.execute(trx)
  return rows[0] ?? { all: 0, everywhere: 0 }
}

/** Refuses a change, already written, after which nobody is left to give rights. */
export async function keepersRefusal(trx: Trx, before: Keepers) {
  const after = await readKeepers(trx)
  if (before.all > 0 && after.all === 0) {
    return conflict(
      'LAST_KEEPER',
      'Personne ne pourrait plus gérer les droits et les utilisateurs\u202f: donnez d’abord ces deux droits à quelqu’un d’autre.',
    )
  }
  if (before.everywhere > 0 && after.everywhere === 0) {
    return conflict(
      'LAST_KEEPER',
      'Personne ne pourrait plus gérer les droits et les utilisateurs de tous les sites\u202f: donnez d’abord ces deux droits à quelqu’un d’autre.',
    )
  }
  return null
}
