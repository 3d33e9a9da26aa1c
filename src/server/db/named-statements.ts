import pg from 'pg'

import { type Answered, type Prepared, StatementBatch } from './statement-batch.ts'

/** Statements that one connection keeps by name: each takes the engine some 70 kB. */
const mostNames = 300
/** Texts remembered as sent once. */
const mostSeen = 1000

/** What the connections of one database know of each other. */
type Shared = { seen: Set<string>; generation: number }

export type Statement = readonly [text: string, values: readonly unknown[]]

/** A client that sends several statements at once. */
export type BatchingClient = { together(statements: readonly Statement[]): Promise<Answered[]> }

export const isBatching = <C extends object>(client: C): client is C & BatchingClient => 'together' in client

/**
 * A client that sends a statement by name from its second sighting on: the engine parses and plans it once a connection. To be given to
 * the pools of one PostgreSQL database. Not to the embedded engine, whose connections share one set of names.
 */
export function namingClient(): typeof pg.Client {
  const shared: Shared = { seen: new Set(), generation: 0 }
  return class NamingClient extends pg.Client implements BatchingClient {
    readonly #send = this.query.bind(this) as (...sent: unknown[]) => Promise<pg.QueryResult>
    readonly #names = new Names(shared, () => void this.#send('deallocate all').catch(() => undefined))

    constructor(config?: string | pg.ClientConfig) {
      super(config)
      this.query = ((...sent: unknown[]) =>
        isWithValues(sent)
          ? this.together([sent]).then(([answer]) => answer)
          : this.#send(...sent)) as pg.Client['query']
    }

    /** Sends statements in one round trip: after one that fails, none of the others is run. */
    async together(statements: readonly Statement[]): Promise<Answered[]> {
      const wasOutside = this.getTransactionStatus() !== 'T'
      const { generation } = shared
      const batch = this.#names.batchOf(statements, this)
      try {
        return await this.#sendBatch(batch)
      } catch (error) {
        if (!isStatementForgotten(error)) throw error
        // Every connection has names of that generation; the first that fails makes the next one for all.
        if (shared.generation === generation) shared.generation += 1
        // A transaction is lost with it: whoever runs that begins anew.
        const isOutside = wasOutside && !statements.slice(0, batch.done).some(([text]) => text === 'begin')
        if (!isOutside) throw error
        return this.#sendBatch(this.#names.batchOf(statements, this))
      }
    }

    async #sendBatch(batch: StatementBatch): Promise<Answered[]> {
      void this.#send(batch)
      try {
        return await batch.answers
      } catch (error) {
        // Else it would lead to the socket, and not to whoever sent the statement.
        if (error instanceof Error) Error.captureStackTrace(error)
        throw error
      }
    }
  }
}

const isWithValues = (sent: readonly unknown[]): sent is [string, unknown[]] =>
  sent.length === 2 && typeof sent[0] === 'string' && Array.isArray(sent[1]) && sent[1].length > 0

/** The names of one connection. */
class Names {
  readonly #shared: Shared
  readonly #forgetAll: () => void
  readonly #names = new Map<string, Prepared>()
  #generation: number

  constructor(shared: Shared, forgetAll: () => void) {
    this.#shared = shared
    this.#forgetAll = forgetAll
    this.#generation = shared.generation
  }

  batchOf(statements: readonly Statement[], client: pg.Client): StatementBatch {
    const outgoing = statements.map(([text, values]) => ({ text, values, prepared: this.#of(text) }))
    return new StatementBatch(outgoing, client)
  }

  /** The name of a text; null while it is sent without. */
  #of(text: string): Prepared | null {
    const { seen, generation } = this.#shared
    if (this.#generation !== generation) {
      this.#generation = generation
      this.#names.clear()
      this.#forgetAll()
    }
    const known = this.#names.get(text)
    if (known !== undefined) return known
    if (!seen.has(text)) {
      if (seen.size >= mostSeen) seen.clear()
      seen.add(text)
      return null
    }
    if (this.#names.size >= mostNames) return null
    const prepared: Prepared = { name: `c${generation}_${this.#names.size}`, state: 'new', columns: null }
    this.#names.set(text, prepared)
    return prepared
  }
}

/**
 * The engine no longer has a named statement as it was: a table that it reads has changed its shape, or somebody deallocated it. Nothing
 * was done; sent again it is a new one.
 */
export const isStatementForgotten = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === '26000' ||
    // « Cached plan must not change result type », told in the server's language; others of this code are something else.
    (error.code === '0A000' && 'routine' in error && error.routine === 'RevalidateCachedQuery'))
