import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'

import { environmentsChannel } from './environments.ts'
import type { Db } from '../handles.ts'
import { lockSchemasAlone } from '../connections/schema-lock.ts'

/** Whoever changes which environments there are does so alone. */
const managersLock = 7_302_127

/** In milliseconds. */
const lettingGoMs = 30_000

/** Servers read again which environments there are. */
export const ringServers = (db: Db) => sql`select pg_notify(${environmentsChannel}, '')`.execute(db)

/** One manager at a time, on a connection that holds the lock until the work is over; then servers look again. */
export const manageAlone = <T>(db: Db, work: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${managersLock}::bigint)`.execute(connection)
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${managersLock}::bigint)`.execute(connection)
      await ringServers(connection)
    }
  })

/**
 * Has servers close an environment, and takes its lock on this connection, so that it stays closed until the lock is
 * given back or the connection ends; false where a server has not let go of it after half a minute.
 */
export async function takeFromServers(connection: Db, id: number): Promise<boolean> {
  const until = performance.now() + lettingGoMs
  for (;;) {
    await sql`select pg_notify(${environmentsChannel}, ${letGoOf(id)})`.execute(connection)
    if (await lockSchemasAlone(connection, [id])) return true
    if (performance.now() > until) return false
    await pause(200)
  }
}

const letGoOf = (id: number) => `let go ${id}`

/** Which environment servers are told to let go of; null where they are told something else. */
export function toBeLetGo(payload: string | null): number | null {
  const told = /^let go (\d{1,9})$/.exec(payload ?? '')
  return told ? Number(told[1]) : null
}

/** Nobody's yet, not even of one that was set aside or begun to be removed: its files may still be in that place. */
export async function nextEnvironmentId(db: Db): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(substring(nspname from '[0-9]+$')::int) as last from pg_namespace
    where nspname ~ '^((removed|moved_[0-9_]+|before_[0-9_]+)_)?env_[1-9][0-9]{0,8}$'`.execute(db)
  return (rows[0]?.last ?? 0) + 1
}
