import {
  type CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type QueryResult,
  sql,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'

import type { Db } from '../handles.ts'
import { isBatching, type Statement } from './named-statements.ts'

type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>
type Held = { statement: Statement; resolve: (answer: Answer) => void; reject: (error: unknown) => void }

const begin: Statement = ['begin', []]

/** A connection that holds statements back and sends them with the next one, in one round trip. */
class HoldingConnection implements DatabaseConnection {
  readonly client: pg.PoolClient
  #held: Held[] = []

  constructor(client: pg.PoolClient) {
    this.client = client
  }

  hold(statement: Statement): Promise<Answer> {
    return new Promise((resolve, reject) => this.#held.push({ statement, resolve, reject }))
  }

  async send(statement: Statement): Promise<Answer> {
    if (this.#held.length === 0) return this.#query(statement)
    const held = this.#held.splice(0)
    try {
      const answers = await this.#sendAll([...held.map((one) => one.statement), statement])
      for (const { resolve } of held) resolve(answers.shift() ?? nothing)
      return answers[0] ?? nothing
    } catch (error) {
      for (const { reject } of held) reject(error)
      throw error
    }
  }

  async flush(): Promise<void> {
    const last = this.#held.pop()
    if (!last) return
    await this.send(last.statement).then(last.resolve, (error: unknown) => {
      last.reject(error)
      throw error
    })
  }

  async #sendAll(statements: readonly Statement[]): Promise<Answer[]> {
    const { client } = this
    if (isBatching(client)) return client.together(statements)
    const answers: Answer[] = []
    for (const statement of statements) answers.push(await this.#query(statement))
    return answers
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return resultOf<R>(await this.send([sql, parameters]))
  }

  /** Rejects what is held; answers whether the transaction's own beginning was among it. */
  drop(): boolean {
    const dropped = this.#held.splice(0)
    for (const { reject } of dropped) reject(new Error('given up before it was sent'))
    return dropped[0]?.statement === begin
  }

  get isUntouched(): boolean {
    return this.#held.length === 1 && this.#held[0]?.statement === begin
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('long lists are read by pages')
  }

  #query([text, values]: Statement): Promise<Answer> {
    return this.client.query(text, [...values])
  }
}

const nothing: Answer = { command: '', rowCount: 0, rows: [] }

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

const resultOf = <R>({ command, rowCount, rows }: Answer): QueryResult<R> => ({
  rows: rows as R[],
  ...(changing.has(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
})

/** Whatever lends connections. */
export type BatchPool = Pick<pg.Pool, 'end'> & { connect(): Promise<pg.PoolClient> }

export class BatchDialect extends PostgresDialect {
  readonly #pool: BatchPool

  constructor(pool: BatchPool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): Driver {
    return new BatchDriver(this.#pool)
  }

  override createAdapter(): DialectAdapter {
    return new SchemaAdapter()
  }
}

/** Migrations of one schema wait for each other, and for no other schema's. */
class SchemaAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>): Promise<void> {
    await sql`select pg_advisory_lock(${migrationsOfSchema})`.execute(db)
  }
  override async releaseMigrationLock(db: Kysely<unknown>): Promise<void> {
    await sql`select pg_advisory_unlock(${migrationsOfSchema})`.execute(db)
  }
}

const migrationsOfSchema = sql`hashtextextended(current_schema(), 7302128)`

class BatchDriver implements Driver {
  readonly #pool: BatchPool
  readonly #connections = new WeakMap<pg.PoolClient, HoldingConnection>()

  constructor(pool: BatchPool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<HoldingConnection> {
    const client = await this.#pool.connect()
    const connection = this.#connections.get(client) ?? new HoldingConnection(client)
    this.#connections.set(client, connection)
    return connection
  }

  async beginTransaction(
    connection: HoldingConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const settings = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean)
    if (settings.length > 0) await connection.send([`start transaction ${settings.join(' ')}`, []])
    else connection.hold(begin).catch(() => undefined)
  }

  async commitTransaction(connection: HoldingConnection): Promise<void> {
    if (connection.isUntouched) connection.drop()
    else await connection.send(['commit', []])
  }

  async rollbackTransaction(connection: HoldingConnection): Promise<void> {
    if (!connection.drop()) await connection.send(['rollback', []])
  }

  async releaseConnection(connection: HoldingConnection): Promise<void> {
    connection.drop()
    connection.client.release()
  }

  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}

type Query<R> = { compile(db: Db): CompiledQuery<R> }

/** Sends a statement with the next one, which shares its failure; await this now, `answer` after that. */
export async function ahead<R>(db: Db, query: Query<R>): Promise<{ answer(): Promise<QueryResult<R>> }> {
  const { sql, parameters } = query.compile(db)
  const { held } = await onLane(db, async (connection) => ({ held: connection.hold([sql, parameters]) }))
  held.catch(() => undefined)
  return { answer: async () => resultOf<R>(await held) }
}

export const sendHeld = (db: Db): Promise<void> => onLane(db, (connection) => connection.flush())

const onLane = <T>(db: Db, run: (connection: HoldingConnection) => Promise<T>): Promise<T> =>
  db.getExecutor().provideConnection((connection) => {
    if (!(connection instanceof HoldingConnection))
      throw new Error('only a connection of its own holds statements back')
    return run(connection)
  })
