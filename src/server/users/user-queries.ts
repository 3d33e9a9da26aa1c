import { sql } from 'kysely'

import { type Collection, collection, type ListQuery } from '../../contract/list.ts'
import type { User } from '../../contract/users.ts'
import { type Right, rightCodes } from '../../domain/rights.ts'
import type { Db, Trx } from '../db/handles.ts'
import { everyWord, type FilterColumn, type OrderColumn, readPage } from '../db/lists/list-sql.ts'
import type { Exchange } from '../http/exchange.ts'
import { rightsOfUser } from '../library-facts/held-rights.ts'
import { accountName } from '../library-facts/person-names.ts'
import type { Caller } from '../visibility/caller.ts'
import { visibleUsers } from '../visibility/visibility.ts'

export type UserRow = Omit<User, '@id' | '@type' | 'providers' | 'may_change'> & { profile: number }

const ownRights = (held: boolean) =>
  sql`array(select right_code from user_rights where user_id = u.id and held = ${held} order by right_code)`
const columns = sql<UserRow>`u.id, u.username::text as username, u.firstname, u.lastname, u.email::text as email,
  u.profile, p.name as role, u.enabled, not u.password_chosen as awaits_password,
  exists (select from user_factors f where f.user_id = u.id and f.confirmed_at is not null) as second_factor,
  ${rightsOfUser} as rights, ${ownRights(true)} as added_rights, ${ownRights(false)} as removed_rights,
  coalesce((
    select json_agg(json_build_object('id', s.id, 'name', s.name) order by search_text(s.name), s.id)
    from user_sites us join sites s on s.id = us.site where us.user_id = u.id
  ), '[]') as sites,
  greatest(u.last_used_at, (select max(last_used_at) from sessions where user_id = u.id)) as last_used_at`
const from = sql`users u join profiles p on p.id = u.profile`
const where = sql`u.deleted_at is null`

const filters: Record<string, FilterColumn> = {
  id: { column: sql`u.id` },
  searchname: {
    test: ({ value }) =>
      everyWord(sql`search_text(concat_ws(' ', u.username, u.firstname, u.lastname, u.email))`, value),
  },
  username: { column: sql`u.username::text` },
  email: { column: sql`u.email::text` },
  role: { column: sql`u.profile` },
  // Whoever has no site of their own works at all of them.
  site: {
    test: ({ operator, value }) => {
      const hasSites = sql`exists (select from user_sites us where us.user_id = u.id)`
      if (operator === 'nil') return value ? sql`not ${hasSites}` : hasSites
      const asked = Array.isArray(value) ? value : [value]
      return sql`(not ${hasSites} or exists (
        select from user_sites us where us.user_id = u.id and us.site = any(${asked}::int[])))`
    },
  },
  enabled: { column: sql`u.enabled` },
  own_rights: { column: sql`exists (select from user_rights own where own.user_id = u.id)` },
}
const orders: Record<string, OrderColumn> = {
  name: sql`search_text(${accountName('u')})`,
  username: sql`search_text(u.username::text)`,
  email: { nullable: sql`search_text(u.email::text)` },
  role: sql`search_text(p.name)`,
  enabled: sql`u.enabled`,
  last_used_at: {
    nullable: sql`greatest(u.last_used_at, (select max(last_used_at) from sessions where user_id = u.id))`,
  },
  id: sql`u.id`,
}

/** What the caller is told of a user. */
export function serializeUser(row: UserRow, { caller }: Exchange): User {
  const {
    id,
    username,
    firstname,
    lastname,
    email,
    role,
    rights,
    added_rights,
    removed_rights,
    sites,
    enabled,
    last_used_at,
    second_factor,
    awaits_password,
  } = row
  const inOrder = (codes: readonly Right[]) => rightCodes.filter((code) => codes.includes(code))
  return {
    '@id': `/api/users/${id}`,
    '@type': 'User',
    id,
    username,
    firstname,
    lastname,
    email,
    role,
    rights: inOrder(rights),
    added_rights: inOrder(added_rights),
    removed_rights: inOrder(removed_rights),
    providers: ['local'],
    sites,
    enabled,
    last_used_at,
    second_factor,
    awaits_password,
    may_change: caller.rights.has('USER_EDIT') && mayTouch(caller, rights),
  }
}

export async function listUsers(db: Db, list: ListQuery, exchange: Exchange): Promise<Collection<User>> {
  const seen = visibleUsers(exchange.visibility)
  const { rows, total } = await readPage<UserRow>(db, list, {
    columns,
    from,
    where,
    seen,
    filters,
    orders,
    id: sql`u.id`,
  })
  return collection(
    rows.map((row) => serializeUser(row, exchange)),
    total,
  )
}

export async function findVisibleUser(
  db: Db | Trx,
  id: number,
  { visibility }: Exchange,
): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    select ${columns} from ${from} where ${where} and ${visibleUsers(visibility)} and u.id = ${id}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Whether the caller holds these rights, or gives rights to others (PARAMETER_LAW): else they would rise by them. */
export const mayTouch = ({ rights: held }: Pick<Caller, 'rights'>, rights: readonly Right[]): boolean =>
  held.has('PARAMETER_LAW') || rights.every((right) => held.has(right))
