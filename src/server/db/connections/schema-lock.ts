import { type Kysely, sql } from 'kysely'

import type { BatchingClient } from './named-statements.ts'
import { timelineNow } from '../past.ts'
import type { Database } from '../schema.ts'

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
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}

export type SchemaLock = {
  /** Takes the lock for a connection before anybody uses it; throws SchemaReplacedError. */
  take(client: Asking): Promise<void>
  /** The same for a connection that comes from another environment, whose lock it gives back. */
  enter(client: BatchingClient, statementTimeout: string): Promise<void>
  /** The statement that gives the lock back. */
  readonly leave: string
  /** Remembers the schema and PostgreSQL's timeline, because another schema of the same name, or another past of it, is not this environment's. */
  knowSchema(db: Kysely<Database>): Promise<void>
  /** Resolves once the schema was replaced under this server, whose memory of it is then worthless. */
  replaced: Promise<SchemaReplacedError>
}

/** A statement of its own reads the catalogue itself, and so sees what was there once the lock before it was held. */
const schemaAsStored = `select (select oid from pg_namespace where nspname = $1) as oid, ${timelineNow} as timeline`

/** Every connection shares this lock, so that a restore is refused while anybody can write. */
export function sharedSchemaLock(id: number): SchemaLock {
  const schema = `env_${id}`
  let known: { oid: unknown; timeline: unknown } | null = null
  let tell: (error: SchemaReplacedError) => void
  const replaced = new Promise<SchemaReplacedError>((resolve) => {
    tell = resolve
  })
  const refuse = (message: string) => {
    const error = new SchemaReplacedError(message)
    if (known !== null) tell(error)
    return error
  }
  function judge(isHeld: unknown, found: Record<string, unknown> | undefined): void {
    if (isHeld !== true) {
      throw refuse(
        'Une sauvegarde est en train d’être reprise dans cette base (npm run restore)\u202f: attendez la fin.',
      )
    }
    if (known === null) return
    if (found?.['timeline'] !== known.timeline)
      throw refuse(
        'La base est revenue à un état plus ancien, ou une autre machine l’a reprise\u202f: elle s’ouvre à nouveau au prochain appel.',
      )
    if (found?.['oid'] !== known.oid)
      throw refuse(
        'La base a été remplacée par une sauvegarde (npm run restore)\u202f: elle s’ouvre à nouveau au prochain appel.',
      )
  }
  return {
    replaced,
    leave: `select pg_advisory_unlock_shared(${lockSpace}, ${id})`,
    async take(client) {
      const locks = await client.query(`select pg_try_advisory_lock_shared(${lockSpace}, ${id}) as held`)
      const schemas = await client.query(schemaAsStored, [schema])
      judge(locks.rows[0]?.['held'], schemas.rows[0])
    },
    async enter(client, statementTimeout) {
      // The same words for every environment, whose names would else crowd those of the calls out.
      const [locks, schemas] = await client.together([
        [
          `select pg_advisory_unlock_all(), set_config('search_path', $1, false), set_config('statement_timeout', $2, false), pg_try_advisory_lock_shared($3, $4) as held`,
          [`${schema}, public`, statementTimeout, lockSpace, id],
        ],
        [schemaAsStored, [schema]],
      ])
      judge(locks?.rows[0]?.['held'], schemas?.rows[0])
    },
    async knowSchema(db) {
      const { rows } = await sql<{ oid: unknown; timeline: unknown }>`
        select (select oid from pg_namespace where nspname = ${schema}) as oid, ${sql.raw(timelineNow)} as timeline`.execute(
        db,
      )
      known = rows[0] ?? null
    },
  }
}

/** For a connection that takes no environment's lock, as to a copy of the database, where nobody asks for one. */
export const noLockOn = (schema: string): Pick<SchemaLock, 'enter'> => ({
  async enter(client, statementTimeout) {
    await client.together([
      [
        `select pg_advisory_unlock_all(), set_config('search_path', $1, false), set_config('statement_timeout', $2, false)`,
        [schema, statementTimeout],
      ],
    ])
  },
})

/** For a connection that is of no environment. */
export const noSchemaLock = noLockOn('public')

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
