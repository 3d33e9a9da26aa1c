import { sql } from 'kysely'

import { collection, type Collection, type ListQuery } from '../../contract/list.ts'
import type {
  endSession as endSessionCall,
  endSessions as endSessionsCall,
  OpenSession,
} from '../../contract/sessions.ts'
import type { Db, Trx } from '../db/handles.ts'
import { everyWord, type FilterColumn, type OrderColumn, readPage } from '../db/lists/list-sql.ts'
import { accountName } from '../library-facts/person-names.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, forbidden, notFound, type Outcome } from '../http/outcome.ts'
import { visibleSessions, visibleUsers } from '../visibility/visibility.ts'
import { sessionMs } from './find-caller.ts'
import { revokeSessions } from './open-session.ts'

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
  { caller, now, visibility }: Exchange,
): Promise<Collection<OpenSession>> {
  const since = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const { rows, total } = await readPage<Row>(db, list, {
    columns: sql`s.id, s.user_id, u.username::text as username, ${accountName('u')} as person, s.device_id, nullif(d.name, '') as device_name,
      coalesce(d.browser, '') as browser, s.created_at, s.last_used_at, s.id = ${caller.session_id} as current`,
    from: sql`sessions s join users u on u.id = s.user_id left join devices d on d.device_id = s.device_id`,
    where: sql`s.revoked_at is null and u.enabled and u.deleted_at is null
      and s.last_used_at >= ${since(sessionMs.idle)}::timestamptz
      and s.created_at >= ${since(sessionMs.longest)}::timestamptz`,
    seen: visibleSessions(visibility, caller.user_id),
    filters,
    orders,
    id: sql`s.id`,
  })
  return collection(
    rows.map(({ user_id, username, person, ...row }) => ({
      '@id': `/api/sessions/${row.id}`,
      '@type': 'Session',
      user: { id: user_id, username, name: person },
      ...row,
    })),
    total,
  )
}

/** Ends one's own session, or anybody's with the right to manage users, as for a lost tablet. */
export async function endSession(
  trx: Trx,
  { params }: VerbInput<typeof endSessionCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const { now } = exchange
  const session = await trx
    .selectFrom('sessions')
    .select(['user_id', 'device_id'])
    .where('id', '=', params.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!session || !(await isTheirs(trx, session.user_id, exchange)))
    return notFound('Cette session n’existe pas ou n’est plus ouverte.')
  await revokeSessions(trx, { session_id: params.id }, now)
  await journal(trx, exchange, {
    action: 'session.revoke',
    entity: 'users',
    entity_id: session.user_id,
    ...(session.device_id === null ? {} : { device_id: session.device_id }),
  })
  return done(null)
}

export async function endSessions(
  trx: Trx,
  { body }: VerbInput<typeof endSessionsCall>,
  exchange: Exchange,
): Promise<Outcome<{ ended: number }>> {
  const { caller, now } = exchange
  const user_id = body.user ?? caller.user_id
  if (user_id !== caller.user_id && !caller.rights.has('USER_EDIT')) {
    return forbidden('Vous n’avez pas le droit de mettre fin aux sessions d’une autre personne.')
  }
  if (!(await isTheirs(trx, user_id, exchange))) return notFound('Cet utilisateur n’existe pas.')
  const ended = await revokeSessions(trx, { user_id, except: caller.token_hash }, now)
  if (ended > 0) {
    await journal(trx, exchange, {
      action: 'session.revoke_all',
      entity: 'users',
      entity_id: user_id,
      after: { ended },
    })
  }
  return done({ ended })
}

/** Whether the caller may end a person's sessions: their own, or those of users whom they manage. */
async function isTheirs(trx: Trx, user_id: number, { caller, visibility }: Exchange): Promise<boolean> {
  if (user_id === caller.user_id) return true
  if (!caller.rights.has('USER_EDIT')) return false
  const { rows } =
    await sql`select from users u where u.id = ${user_id} and ${visibleUsers(visibility)}`.execute(trx)
  return rows.length > 0
}
