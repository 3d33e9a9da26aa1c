import { type Kysely, sql } from 'kysely'
import type pg from 'pg'

import type { Database } from './schema.ts'

/** First half of the key of an environment's advisory lock; the second is the environment's number. */
const lockSpace = 7_302_115

/** A restore replaces the schema, or has replaced it. The message is for the terminal; to a caller it is « not now ». */
export class SchemaReplacedError extends Error {
  override readonly name = 'SchemaReplacedError'
  /** PostgreSQL's own « cannot connect now ». */
  readonly code = '57P03'
}

export type SchemaLock = {
  /** Takes the lock for a new connection, before anybody has it; throws SchemaReplacedError. */
  onConnect(client: pg.ClientBase): Promise<void>
  /** From now on, another schema of the same name is not this environment's. */
  knowSchema(db: Kysely<Database>): Promise<void>
  /** Resolves once the schema was replaced under this server; what it remembers of it is worth nothing then. */
  replaced: Promise<SchemaReplacedError>
}

/**
 * The lock that every connection of a server holds for as long as it lives, shared with other servers: a restore, which wants it for
 * itself, is refused while anybody can write. When connections break, so does the server's way to the base, and each new one must take
 * the lock before its first statement: where a restore was faster, the server finds out instead of writing to what is no longer there.
 */
export function sharedSchemaLock(id: number): SchemaLock {
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
  return {
    replaced,
    async onConnect(client) {
      const { rows: locks } = await client.query<{ held: boolean }>(
        'select pg_try_advisory_lock_shared($1, $2) as held',
        [lockSpace, id],
      )
      if (!locks[0]?.held) {
        throw refuse(
          'Une sauvegarde est en train d’être reprise dans cette base (npm run restore)\u202f: attendez la fin, puis relancez Comptoir.',
        )
      }
      if (known === null) return
      const { rows: schemas } = await client.query<{ oid: number | null }>(
        'select to_regnamespace($1)::oid as oid',
        [`env_${id}`],
      )
      if (schemas[0]?.oid !== known)
        throw refuse('La base a été remplacée par une sauvegarde (npm run restore)\u202f: relancez Comptoir.')
    },
    async knowSchema(db) {
      const { rows } = await sql<{
        oid: number
      }>`select ${`env_${id}`}::regnamespace::oid as oid`.execute(db)
      known = rows[0]?.oid ?? null
    },
  }
}

/** Gives all of them back: at the end of a connection, the database does so only a moment later. */
export async function leaveSchemas(db: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_unlock_all()`.execute(db)
}

/** Takes the lock of each environment for this connection alone, until its end; false where a server has one of them. */
export async function lockSchemasAlone(db: Kysely<Database>, ids: readonly number[]): Promise<boolean> {
  for (const id of ids) {
    const { rows } = await sql<{ held: boolean }>`
      select pg_try_advisory_lock(${lockSpace}::integer, ${id}::integer) as held`.execute(db)
    if (!rows[0]?.held) return false
  }
  return true
}
