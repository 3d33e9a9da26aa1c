import { type Right, rightCodes } from '../../domain/rights.ts'
import type { Trx } from '../db/handles.ts'
import type { UserRow } from './user-queries.ts'

/** No site is every site. */
export async function writeSites(trx: Trx, user_id: number, sites: readonly number[]): Promise<void> {
  await trx.deleteFrom('user_sites').where('user_id', '=', user_id).execute()
  if (sites.length === 0) return
  await trx
    .insertInto('user_sites')
    .values(sites.map((site) => ({ user_id, site })))
    .execute()
}

/** Keeps where these rights differ from the profile's. */
export async function writeRights(
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
export const facts = ({ username, firstname, lastname, email, role, sites, enabled, ...user }: UserRow) => ({
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
