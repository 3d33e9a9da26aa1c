import pg from 'pg'

/** Statements that one connection keeps by name: each takes the engine some 70 kB. */
const mostNames = 300
/** Texts remembered as sent once. */
const mostSeen = 1000

/** What the connections of one database know of each other. */
type Shared = { seen: Set<string>; generation: number }

type Sent = [text: string, values: readonly unknown[]]

/**
 * A client that sends a statement by name from its second sighting on: the engine parses and plans it once a connection. To be given to
 * the pools of one PostgreSQL database. Not to the embedded engine, whose connections share one set of names.
 */
export function namingClient(): typeof pg.Client {
  const shared: Shared = { seen: new Set(), generation: 0 }
  return class NamingClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      const send = this.query.bind(this) as (...sent: unknown[]) => Promise<pg.QueryResult>
      const names = new Names(shared, () => void send('deallocate all').catch(() => undefined))
      const sendNamed = async (...[text, values]: Sent): Promise<pg.QueryResult> => {
        const name = names.of(text)
        if (name === null) return send(text, values)
        const { generation } = shared
        try {
          return await send({ name, text, values })
        } catch (error) {
          if (!isStatementForgotten(error)) throw error
          // Every connection has names of that generation; the first that fails makes the next one for all.
          if (shared.generation === generation) shared.generation += 1
          // A transaction is lost with it: whoever runs that begins anew.
          if (this.getTransactionStatus() !== 'I') throw error
          return send(text, values)
        }
      }
      this.query = ((...sent: unknown[]) =>
        isWithValues(sent) ? sendNamed(...sent) : send(...sent)) as pg.Client['query']
    }
  }
}

const isWithValues = (sent: readonly unknown[]): sent is Sent =>
  sent.length === 2 && typeof sent[0] === 'string' && Array.isArray(sent[1]) && sent[1].length > 0

/** The names of one connection. */
class Names {
  readonly #shared: Shared
  readonly #forgetAll: () => void
  readonly #names = new Map<string, string>()
  #generation: number

  constructor(shared: Shared, forgetAll: () => void) {
    this.#shared = shared
    this.#forgetAll = forgetAll
    this.#generation = shared.generation
  }

  /** The name of a text; null while it is sent without. */
  of(text: string): string | null {
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
    const name = `c${generation}_${this.#names.size}`
    this.#names.set(text, name)
    return name
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
