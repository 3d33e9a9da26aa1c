import { sql } from 'kysely'

import type { Collection, ListQuery } from '../../contract/list.ts'
import type { OpenSession } from '../../contract/sessions.ts'
import type { Db } from '../db/handles.ts'
import { everyWord, type FilterColumn, type OrderColumn, readPage } from '../db/list-sql.ts'
import { accountName } from '../db/person-names.ts'
import type { Exchange } from '../http/exchange.ts'
import { sessionsInSight } from '../sight/sight.ts'
import { sessionMs } from './find-caller.ts'

type Row = Omit<OpenSession, '@id' | '@type' | 'user'> & { user_id: number; username: string; person: string }

const filters: Record<string, FilterColumn> = {
  searchname: {
    test: ({ value }) =>
      everyWord(
        sql`search_text(concat_ws(' ', u.username, u.firstname, u.lastname, d.name, d.browser))`,
        value,
      ),
  },
  user: { column: sql`s.user_id` },
  device_id: { column: sql`s.device_id` },
}
const orders: Record<string, OrderColumn> = {
  last_used_at: sql`s.last_used_at`,
  created_at: sql`s.created_at`,
  username: sql`u.username`,
  id: sql`s.id`,
}

export async function listOpenSessions(
  db: Db,
  list: ListQuery,
  { caller, now, sight }: Exchange,
): Promise<Collection<OpenSession>> {
  const since = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const { rows, total } = await readPage<Row>(db, list, {
    columns: sql`s.id, s.user_id, u.username::text as username, ${accountName('u')} as person, s.device_id, nullif(d.name, '') as device_name,
      coalesce(d.browser, '') as browser, s.created_at, s.last_used_at, s.id = ${caller.session_id} as current`,
    from: sql`sessions s join users u on u.id = s.user_id left join devices d on d.device_id = s.device_id`,
    where: sql`s.revoked_at is null and u.enabled and u.deleted_at is null
      and s.last_used_at >= ${since(sessionMs.idle)}::timestamptz
      and s.created_at >= ${since(sessionMs.longest)}::timestamptz`,
    seen: sessionsInSight(sight, caller.user_id),
    filters,
    orders,
    id: sql`s.id`,
  })
  return {
    'hydra:member': rows.map(({ user_id, username, person, ...row }) => ({
      '@id': `/api/sessions/${row.id}`,
      '@type': 'Session',
      user: { id: user_id, username, name: person },
      ...row,
    })),
    'hydra:totalItems': total,
  }
}
