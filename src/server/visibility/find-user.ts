import { sql } from 'kysely'

import { accountName } from '../../domain/person-names.ts'
import type { Right } from '../../domain/rights.ts'
import type { Db, Trx } from '../db/handles.ts'
import { rightsOfUser } from '../library-facts/held-rights.ts'
import type { Caller } from './caller.ts'

/** A person as a caller without a session, for what is done in the background for them; null once their account is closed. */
export async function findUserAsCaller(
  db: Db | Trx,
  { user_id, device_id }: { user_id: number; device_id: string | null },
): Promise<Caller | null> {
  const { rows } = await sql<Row>`
    select u.username, u.firstname, u.lastname, p.name as role,
      ${rightsOfUser} as rights,
      (select array_agg(site) from user_sites where user_id = u.id) as sites
    from users u join profiles p on p.id = u.profile
    where u.id = ${user_id} and u.enabled and u.deleted_at is null`.execute(db)
  const [row] = rows
  if (!row) return null
  return {
    user_id,
    username: row.username,
    name: accountName(row),
    role: row.role,
    rights: new Set(row.rights),
    sites: row.sites ?? [],
    token_hash: Buffer.alloc(0),
    session_id: 0,
    device_id,
  }
}

type Row = {
  username: string
  firstname: string
  lastname: string
  role: string
  rights: Right[]
  sites: number[] | null
}
