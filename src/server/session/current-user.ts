import { sql } from 'kysely'

import type { CurrentUser } from '../../contract/session.ts'
import { rightCodes } from '../../domain/rights.ts'
import type { Db } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { dueOf } from './find-caller.ts'

export async function currentUser(
  db: Db,
  _input: unknown,
  { caller }: Exchange,
): Promise<Outcome<CurrentUser>> {
  const { due, ...user } = await db
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.profile')
    .innerJoin('sessions as s', 's.user_id', 'u.id')
    .select(['u.id', 'u.username', 'u.firstname', 'u.lastname', 'u.email'])
    .select(dueOf.as('due'))
    .where('s.id', '=', caller.session_id)
    .executeTakeFirstOrThrow()
  let open = db
    .selectFrom('sites')
    .select(['id', 'name'])
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
  if (caller.sites.length > 0) open = open.where('id', '=', sql<number>`any(${[...caller.sites]}::int[])`)
  const sites = await open.execute()
  const worked = await db
    .selectFrom('devices')
    .select('site')
    .where('user_id', '=', user.id)
    .where('site', 'is not', null)
    .orderBy('last_seen', 'desc')
    .limit(1)
    .executeTakeFirst()
  const usual = sites.find(({ id }) => id === worked?.site)
  return done({
    '@id': `/api/users/${user.id}`,
    '@type': 'User',
    ...user,
    role: caller.role,
    rights: rightCodes.filter((code) => caller.rights.has(code)),
    providers: ['local'],
    sites,
    ...(usual ? { usual_site: usual.id } : {}),
    ...(due === null ? {} : { due }),
  })
}
