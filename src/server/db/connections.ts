import { EventEmitter, once } from 'node:events'

import pg from 'pg'

import { type Ear, openEar } from './ear.ts'
import { type BatchingClient, type NamingClient, namingClient } from './named-statements.ts'
import type { Db } from './handles.ts'
import { openMachines, patience } from './machines.ts'
import { poolDb, readableTypes } from './pool.ts'
import { type Asking, noSchemaLock, type SchemaLock } from './schema-lock.ts'

/** What of `pg.Pool` the product uses. */
export type ConnectionPool = {
  connect(): Promise<pg.PoolClient>
  query: Asking['query']
  end(): Promise<void>
  on(event: 'acquire', listener: (client: pg.PoolClient) => void): unknown
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

export type LendingPool = ConnectionPool & {
  /** Whether one may be had at once. */
  readonly isFree: boolean
}

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

/** The connections of a server process, which its environments share. */
export type Connections = {
  /** For what is of no environment. */
  ground: Db
  poolFor(borrower: Borrower): LendingPool
  ear: Ear
  /** Breaks all of them, as those to a machine that says nothing any more; what waits for an answer fails. */
  giveUp(): void
  end(): Promise<void>
}

/** One more hears for all; `docs/scaling.md` says how to choose. */
export const mostConnections = 20

/** A connection nobody used for so long is closed. */
const restMs = 60_000
const openingMs = 15_000
/** Where there are several machines, how often the one in use is asked, and how long it may say nothing. */
const lookEveryMs = 2_000
const silenceMs = 5_000

type Held = {
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

type Waiter = {
  borrower: Borrower
  /** A connection is being made ready for it. */
  onTurn(): void
  give(held: Held): void
  fail(error: Error): void
}

type ConnectionsSettings = {
  most?: number
  name?: string
  /** A connection may take so long to be made, in milliseconds. */
  openedWithinMs?: number
  /** One that does not answer a statement for so long is given up; null where that is left to the system. */
  answeredWithinMs?: number | null
}

export function openConnections(
  address: string,
  {
    most = mostConnections,
    name = 'comptoir',
    openedWithinMs,
    answeredWithinMs = null,
  }: ConnectionsSettings = {},
): Connections {
  const Client = namingClient({ silenceMs: answeredWithinMs })
  const machines = openMachines(address)
  const settings = {
    application_name: name,
    connectionTimeoutMillis: openedWithinMs ?? patience(machines.areSeveral),
    keepAlive: true,
    types: readableTypes,
  }
  const ear = openEar(() => machines.connect((target) => new pg.Client({ ...target, ...settings })))
  const atMost = Math.max(most - 1, 1)
  const mostLongReads = Math.max(Math.floor(atMost / 2), 1)
  const all = new Set<Held>()
  const waiters: Waiter[] = []
  const inUse = new Map<Borrower, number>()
  const changes = new EventEmitter().setMaxListeners(0)
  let opening = 0
  let isEnded = false

  const usedBy = (borrower: Borrower) => inUse.get(borrower) ?? 0
  const count = (borrower: Borrower, change: number) => inUse.set(borrower, usedBy(borrower) + change)
  const longReads = () => {
    let sum = 0
    for (const [{ isLongReads }, used] of inUse) if (isLongReads) sum += used
    return sum
  }
  const mayHave = (borrower: Borrower) =>
    usedBy(borrower) < borrower.most && (!borrower.isLongReads || longReads() < mostLongReads)

  /** Scans come before long reads, and of each the environment that holds the fewest connections. */
  function next(): Waiter | null {
    let first: Waiter | null = null
    for (const waiter of waiters) {
      if (!mayHave(waiter.borrower)) continue
      if (first === null || comesBefore(waiter.borrower, first.borrower)) first = waiter
    }
    return first
  }
  const comesBefore = (one: Borrower, other: Borrower) =>
    one.isLongReads === other.isLongReads ? usedBy(one) < usedBy(other) : other.isLongReads

  /**
   * One that was set for the borrower, else the one that last served its environment and so knows its statements, else
   * the one used longest ago. With any that knows them all environments would end on one connection.
   */
  function atRest(borrower: Borrower): Held | null {
    let home: Held | null = null
    let homeAt = -Infinity
    let oldest: Held | null = null
    for (const held of all) {
      if (held.isUsed) continue
      if (held.borrower === borrower) return held
      const usedAt = held.client.usedNamesOf(borrower.schema)
      if (usedAt > homeAt) [home, homeAt] = [held, usedAt]
      if (oldest === null || held.restsSince < oldest.restsSince) oldest = held
    }
    return home ?? (all.size + opening < atMost ? null : oldest)
  }

  function serve(): void {
    for (let waiter = next(); waiter !== null; waiter = next()) {
      const held = atRest(waiter.borrower)
      if (held === null && all.size + opening >= atMost) return
      waiters.splice(waiters.indexOf(waiter), 1)
      count(waiter.borrower, 1)
      void lend(waiter, held)
    }
  }

  async function lend({ borrower, onTurn, give, fail }: Waiter, rested: Held | null): Promise<void> {
    let held = rested
    onTurn()
    if (held) held.isUsed = true
    try {
      if (held === null) {
        // Until it is one of `all`, so that no more are opened meanwhile than there may be.
        opening += 1
        held = await open().finally(() => (opening -= 1))
      }
      if (held.borrower !== borrower) await setFor(held, borrower)
      give(held)
    } catch (error) {
      if (held) void drop(held)
      count(borrower, -1)
      fail(error as Error)
      changes.emit('returned')
      serve()
    }
  }

  async function open(): Promise<Held> {
    const client = await machines.connect((target) => new Client({ ...target, ...settings }))
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
    client.on('error', () => void drop(held))
    client.on('end', () => void drop(held))
    try {
      const { rows } = await own.query('show statement_timeout')
      const told = rows[0]?.['statement_timeout']
      if (typeof told === 'string') held.ownTimeout = told
      all.add(held)
      return held
    } catch (error) {
      client.end().catch(() => undefined)
      throw error
    }
  }

  async function setFor(held: Held, borrower: Borrower): Promise<void> {
    held.borrower = null
    const { lock, schema, statementTimeout } = borrower
    await lock.enter(held.own, statementTimeout === null ? held.ownTimeout : String(statementTimeout))
    held.client.useNamesOf(schema)
    held.borrower = borrower
  }

  async function drop(held: Held): Promise<void> {
    if (!all.delete(held)) return
    const ended = held.client.end().catch(() => undefined)
    serve()
    await ended
  }

  function giveBack(held: Held, borrower: Borrower, error: unknown): void {
    count(borrower, -1)
    held.isUsed = false
    held.restsSince = performance.now()
    if (error || isEnded) void drop(held)
    else serve()
    changes.emit('returned')
  }

  const rest = setInterval(() => {
    const before = performance.now() - restMs
    for (const held of all) if (!held.isUsed && held.restsSince < before) void drop(held)
  }, restMs / 2).unref()

  const giveUp = () => {
    for (const { client } of all) client.connection.stream.destroy()
  }

  // A machine that is gone says nothing: what waits for it is given up, and asks the one that took its place.
  const look = machines.areSeveral
    ? setInterval(() => {
        void ear.isAnswered(silenceMs).then((isAnswered) => {
          if (isAnswered || isEnded) return
          ear.begin()
          giveUp()
        })
      }, lookEveryMs).unref()
    : undefined

  const borrow = (borrower: Borrower) =>
    new Promise<Held>((resolve, reject) => {
      if (isEnded) return reject(closed())
      const timer = setTimeout(() => {
        waiters.splice(waiters.indexOf(waiter), 1)
        reject(new Error('timeout exceeded when trying to connect'))
        changes.emit('returned')
      }, borrower.patience)
      const waiter: Waiter = {
        borrower,
        onTurn: () => clearTimeout(timer),
        give: resolve,
        fail: reject,
      }
      waiters.push(waiter)
      return serve()
    })

  /** An environment's pool; its end closes the connections that are set for it. */
  class BorrowingPool extends EventEmitter implements LendingPool {
    readonly #borrower: Borrower
    #ending: Promise<void> | null = null

    constructor(borrower: Borrower) {
      super()
      this.#borrower = borrower
    }

    async #borrow(): Promise<Held> {
      if (this.#ending) throw new Error('Cannot use a pool after calling end on the pool')
      return borrow(this.#borrower)
    }

    async connect(): Promise<pg.PoolClient> {
      const held = await this.#borrow()
      const client = lent(held, (error) => giveBack(held, this.#borrower, error))
      this.emit('acquire', client)
      return client
    }

    async query(text: string, values: unknown[] = []) {
      const held = await this.#borrow()
      try {
        return await held.own.query(text, values)
      } finally {
        giveBack(held, this.#borrower, null)
      }
    }

    end(): Promise<void> {
      return (this.#ending ??= this.#end())
    }

    async #end(): Promise<void> {
      // Who waits still gets a connection, and with it the environment's lock.
      while (usedBy(this.#borrower) + this.waitingCount > 0) await once(changes, 'returned')
      inUse.delete(this.#borrower)
      await Promise.all(this.#held().map((held) => drop(held)))
    }

    #held(): Held[] {
      return [...all].filter(({ borrower }) => borrower === this.#borrower)
    }

    get isFree() {
      const areAllUsed = all.size + opening >= atMost && [...all].every(({ isUsed }) => isUsed)
      return mayHave(this.#borrower) && !areAllUsed
    }
    get totalCount() {
      return this.#held().length
    }
    get idleCount() {
      return this.#held().filter(({ isUsed }) => !isUsed).length
    }
    get waitingCount() {
      return waiters.filter(({ borrower }) => borrower === this.#borrower).length
    }
  }

  const ground = poolDb(
    new BorrowingPool({
      schema: 'public',
      lock: noSchemaLock,
      most: 2,
      isLongReads: false,
      statementTimeout: null,
      patience: openingMs,
    }),
  )
  return {
    ground,
    ear,
    giveUp,
    poolFor: (borrower) => new BorrowingPool(borrower),
    async end() {
      isEnded = true
      clearInterval(rest)
      clearInterval(look)
      ear.close()
      for (const { onTurn, fail } of waiters.splice(0)) {
        onTurn()
        fail(closed())
      }
      changes.emit('returned')
      await Promise.all([...all].map(drop))
    },
  }
}

const closed = () => new Error('the connections are closed')

/** As a pool of `pg` lends: to be given back once, by whoever borrowed it. */
function lent({ client }: Held, giveBack: (error: unknown) => void): pg.PoolClient {
  let isBack = false
  const release = (error?: Error | boolean) => {
    if (isBack) throw new Error('This connection was given back already.')
    isBack = true
    giveBack(error)
  }
  return Object.assign(client, { release })
}
