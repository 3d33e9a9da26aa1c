import { type Kysely, sql } from 'kysely'
import type pg from 'pg'

import type { Database } from './schema.ts'

/** The first half of an environment's advisory lock; the second is its number. */
const lockSpace = 7_302_115

/** A restore replaces the schema; the message is for the terminal, and a caller reads « not now ». */
export class SchemaReplacedError extends Error {
  override readonly name = 'SchemaReplacedError'
  /** PostgreSQL's « cannot connect now ». */
  readonly code = '57P03'
}

/** Sends statements on one connection. */
export type Asking = {
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<{ rows: R[] }>
}

export type SchemaLock = {
  /** Takes the lock for a connection before anybody uses it; throws SchemaReplacedError. */
  take(client: Asking): Promise<void>
  /** The same for a connection that comes from another environment, whose lock it gives back. */
  enter(client: Asking, statementTimeout: string): Promise<void>
  /** The statement that gives the lock back. */
  readonly leave: string
  /** Remembers the schema, because another one of the same name is not this environment's. */
  knowSchema(db: Kysely<Database>): Promise<void>
  /** Resolves once the schema was replaced under this server, whose memory of it is then worthless. */
  replaced: Promise<SchemaReplacedError>
}

/** Every connection shares this lock, so that a restore is refused while anybody can write. */
export function sharedSchemaLock(id: number): SchemaLock {
  const schema = `env_${id}`
  const taking = `pg_try_advisory_lock_shared(${lockSpace}, ${id}) as held`
  let known: number | null = null
  let tell: (error: SchemaReplacedError) => void
  const replaced = new Promise<SchemaReplacedError>((resolve) => {
    tell = resolve
  })
  const refuse = (message: string) => {
    const error = new SchemaReplacedError(message)
    if (known !== null) tell(error)
    return error
  }
  /** In a statement of its own, which sees what was there once the lock was held. */
  async function check(client: Asking, locks: readonly { held: boolean }[]): Promise<void> {
    if (!locks[0]?.held) {
      throw refuse(
        'Une sauvegarde est en train d’être reprise dans cette base (npm run restore)\u202f: attendez la fin.',
      )
    }
    if (known === null) return
    const { rows } = await client.query<{ oid: number | null }>('select to_regnamespace($1)::oid as oid', [
      schema,
    ])
    if (rows[0]?.oid !== known)
      throw refuse(
        'La base a été remplacée par une sauvegarde (npm run restore)\u202f: elle s’ouvre à nouveau au prochain appel.',
      )
  }
  return {
    replaced,
    leave: `select pg_advisory_unlock_shared(${lockSpace}, ${id})`,
    async take(client) {
      const { rows } = await client.query<{ held: boolean }>(`select ${taking}`)
      await check(client, rows)
    },
    async enter(client, statementTimeout) {
      const { rows } = await client.query<{ held: boolean }>(
        `select pg_advisory_unlock_all(), set_config('search_path', $1, false), set_config('statement_timeout', $2, false), ${taking}`,
        [`${schema}, public`, statementTimeout],
      )
      await check(client, rows)
    },
    async knowSchema(db) {
      const { rows } = await sql<{ oid: number }>`select ${schema}::regnamespace::oid as oid`.execute(db)
      known = rows[0]?.oid ?? null
    },
  }
}

/** For a connection that is of no environment. */
export const noSchemaLock: Pick<SchemaLock, 'enter'> = {
  async enter(client, statementTimeout) {
    await client.query(
      `select pg_advisory_unlock_all(), set_config('search_path', 'public', false), set_config('statement_timeout', $1, false)`,
      [statementTimeout],
    )
  },
}

/** Gives all locks back now, because the database does so a moment after the connection ends. */
export async function leaveSchemas(db: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_unlock_all()`.execute(db)
}

/** Takes each environment's lock alone until the connection ends; false where a server has one of them. */
export async function lockSchemasAlone(db: Kysely<Database>, ids: readonly number[]): Promise<boolean> {
  for (const id of ids) {
    const { rows } = await sql<{ held: boolean }>`
      select pg_try_advisory_lock(${lockSpace}::integer, ${id}::integer) as held`.execute(db)
    if (!rows[0]?.held) return false
  }
  return true
}
