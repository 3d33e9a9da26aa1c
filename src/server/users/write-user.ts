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

/** What the journal keeps of a user: no password, and no rights, which are the profile's. */
export const facts = ({ username, firstname, lastname, email, role, sites, enabled }: UserRow) => ({
  username,
  firstname,
  lastname,
  email,
  role,
  sites: sites.map(({ name }) => name),
  enabled,
})
