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

export type SchemaLock = {
  /** Takes the lock for a new connection before anybody uses it; throws SchemaReplacedError. */
  onConnect(client: pg.ClientBase): Promise<void>
  /** Remembers the schema, because another one of the same name is not this environment's. */
  knowSchema(db: Kysely<Database>): Promise<void>
  /** Resolves once the schema was replaced under this server, whose memory of it is then worthless. */
  replaced: Promise<SchemaReplacedError>
}

/** Every connection shares this lock, so that a restore is refused while anybody can write. */
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
