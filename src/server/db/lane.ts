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

import type { Db } from './handles.ts'
import { isBatching, type Statement } from './named-statements.ts'

type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>
type Held = { statement: Statement; resolve: (answer: Answer) => void; reject: (error: unknown) => void }

const begin: Statement = ['begin', []]

/** A connection that holds statements back and sends them with the next one, in one round trip. */
class Lane implements DatabaseConnection {
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
export type LanePool = Pick<pg.Pool, 'end'> & { connect(): Promise<pg.PoolClient> }

export class LaneDialect extends PostgresDialect {
  readonly #pool: LanePool

  constructor(pool: LanePool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): Driver {
    return new LaneDriver(this.#pool)
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

class LaneDriver implements Driver {
  readonly #pool: LanePool
  readonly #lanes = new WeakMap<pg.PoolClient, Lane>()

  constructor(pool: LanePool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Lane> {
    const client = await this.#pool.connect()
    const lane = this.#lanes.get(client) ?? new Lane(client)
    this.#lanes.set(client, lane)
    return lane
  }

  async beginTransaction(lane: Lane, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const settings = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean)
    if (settings.length > 0) await lane.send([`start transaction ${settings.join(' ')}`, []])
    else lane.hold(begin).catch(() => undefined)
  }

  async commitTransaction(lane: Lane): Promise<void> {
    if (lane.isUntouched) lane.drop()
    else await lane.send(['commit', []])
  }

  async rollbackTransaction(lane: Lane): Promise<void> {
    if (!lane.drop()) await lane.send(['rollback', []])
  }

  async releaseConnection(lane: Lane): Promise<void> {
    lane.drop()
    lane.client.release()
  }

  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}

type Query<R> = { compile(db: Db): CompiledQuery<R> }

/** Sends a statement with the next one, which shares its failure; await this now, `answer` after that. */
export async function ahead<R>(db: Db, query: Query<R>): Promise<{ answer(): Promise<QueryResult<R>> }> {
  const { sql, parameters } = query.compile(db)
  const { held } = await onLane(db, async (lane) => ({ held: lane.hold([sql, parameters]) }))
  held.catch(() => undefined)
  return { answer: async () => resultOf<R>(await held) }
}

export const sendHeld = (db: Db): Promise<void> => onLane(db, (lane) => lane.flush())

const onLane = <T>(db: Db, run: (lane: Lane) => Promise<T>): Promise<T> =>
  db.getExecutor().provideConnection((connection) => {
    if (!(connection instanceof Lane)) throw new Error('only a connection of its own holds statements back')
    return run(connection)
  })
