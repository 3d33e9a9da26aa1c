import { EventEmitter, once } from 'node:events'

import type pg from 'pg'

import type { Borrower, Held } from './held-connection.ts'
import type { Asking } from './schema-lock.ts'

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

/** Who lends the connections of a process. */
export type Lender = {
  borrow(borrower: Borrower): Promise<Held>
  giveBack(held: Held, borrower: Borrower, error: unknown): void
  /** Those that are set for it. */
  heldFor(borrower: Borrower): Held[]
  drop(held: Held): Promise<void>
  usedBy(borrower: Borrower): number
  waitingOf(borrower: Borrower): number
  isFreeFor(borrower: Borrower): boolean
  /** It borrows no more. */
  forget(borrower: Borrower): void
  /** Rings `returned` whenever one came back or somebody waits no more. */
  changes: EventEmitter
}

/** An environment's pool; its end closes the connections that are set for it. */
export class BorrowingPool extends EventEmitter implements LendingPool {
  readonly #lender: Lender
  readonly #borrower: Borrower
  #ending: Promise<void> | null = null

  constructor(lender: Lender, borrower: Borrower) {
    super()
    this.#lender = lender
    this.#borrower = borrower
  }

  async #borrow(): Promise<Held> {
    if (this.#ending) throw new Error('Cannot use a pool after calling end on the pool')
    return this.#lender.borrow(this.#borrower)
  }

  async connect(): Promise<pg.PoolClient> {
    const held = await this.#borrow()
    const client = lent(held, (error) => this.#lender.giveBack(held, this.#borrower, error))
    this.emit('acquire', client)
    return client
  }

  async query(text: string, values: unknown[] = []) {
    const held = await this.#borrow()
    try {
      return await held.own.query(text, values)
    } finally {
      this.#lender.giveBack(held, this.#borrower, null)
    }
  }

  end(): Promise<void> {
    return (this.#ending ??= this.#end())
  }

  async #end(): Promise<void> {
    // Who waits still gets a connection, and with it the environment's lock.
    while (this.#lender.usedBy(this.#borrower) + this.waitingCount > 0)
      await once(this.#lender.changes, 'returned')
    this.#lender.forget(this.#borrower)
    await Promise.all(this.#held().map((held) => this.#lender.drop(held)))
  }

  #held(): Held[] {
    return this.#lender.heldFor(this.#borrower)
  }

  get isFree() {
    return this.#lender.isFreeFor(this.#borrower)
  }
  get totalCount() {
    return this.#held().length
  }
  get idleCount() {
    return this.#held().filter(({ isUsed }) => !isUsed).length
  }
  get waitingCount() {
    return this.#lender.waitingOf(this.#borrower)
  }
}

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
