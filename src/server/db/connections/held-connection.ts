import type { BatchingClient, NamingClient } from './named-statements.ts'
import type { Asking, SchemaLock } from './schema-lock.ts'

/** For whom connections are set. */
export type Borrower = {
  schema: string
  lock: Pick<SchemaLock, 'enter'>
  /** At most so many of its connections are in use at once. */
  most: number
  /** Long reads leave the rest of the connections to scans. */
  isLongReads: boolean
  /** In milliseconds; the database's own setting where it is null. */
  statementTimeout: number | null
  /** Of who waits for a connection, in milliseconds. */
  patience: number
}

/** A connection of the process, lent to one borrower after another. */
export type Held = {
  client: NamingClient
  /** As the client sends by itself, whoever listens to what is sent through it. */
  own: Asking & BatchingClient
  /** The database's own setting of `statement_timeout`. */
  ownTimeout: string
  /** Whom it is set for. */
  borrower: Borrower | null
  restsSince: number
  isUsed: boolean
}

/** Holds a connection that was just made; `whenLost` is told of its end, and it is ended where it answers nothing. */
export async function holdConnection(client: NamingClient, whenLost: (held: Held) => void): Promise<Held> {
  const [query, together] = [client.query.bind(client), client.together.bind(client)]
  const own: Held['own'] = {
    together,
    query: async (text, values = []) => {
      const answered = values.length > 0 ? await together([[text, values]]) : [await query(text)]
      return { rows: (answered[0]?.rows ?? []) as Record<string, unknown>[] }
    },
  }
  const held: Held = { client, own, ownTimeout: '0', borrower: null, restsSince: 0, isUsed: true }
  // Without listeners a broken connection would end the process; another takes its place.
  client.on('error', () => whenLost(held))
  client.on('end', () => whenLost(held))
  try {
    const { rows } = await own.query('show statement_timeout')
    const told = rows[0]?.['statement_timeout']
    if (typeof told === 'string') held.ownTimeout = told
    return held
  } catch (error) {
    client.end().catch(() => undefined)
    throw error
  }
}

export async function setFor(held: Held, borrower: Borrower): Promise<void> {
  held.borrower = null
  const { lock, schema, statementTimeout } = borrower
  await lock.enter(held.own, statementTimeout === null ? held.ownTimeout : String(statementTimeout))
  held.client.useNamesOf(schema)
  held.borrower = borrower
}
