import { EventEmitter } from 'node:events'

import pg from 'pg'

import { BorrowingPool, type Lender, type LendingPool } from './borrowing-pool.ts'
import { type Listener, openListener } from './listener.ts'
import type { Db } from '../handles.ts'
import { type Borrower, type Held, holdConnection, setFor } from './held-connection.ts'
import { openMachines, patience } from './machines.ts'
import { namingClient } from './named-statements.ts'
import { poolDb, readableTypes } from './pool.ts'
import { noSchemaLock } from './schema-lock.ts'

/** The connections of a server process, which its environments share. */
export type Connections = {
  /** For what is of no environment. */
  ground: Db
  poolFor(borrower: Borrower): LendingPool
  listener: Listener
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
  const listener = openListener(() => machines.connect((target) => new pg.Client({ ...target, ...settings })))
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
    const held = await holdConnection(client, (lost) => void drop(lost))
    all.add(held)
    return held
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
        void listener.isAnswered(silenceMs).then((isAnswered) => {
          if (isAnswered || isEnded) return
          listener.begin()
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

  const lender: Lender = {
    borrow,
    giveBack,
    heldFor: (wanted) => [...all].filter(({ borrower }) => borrower === wanted),
    drop,
    usedBy,
    waitingOf: (wanted) => waiters.filter(({ borrower }) => borrower === wanted).length,
    isFreeFor(borrower) {
      const areAllUsed = all.size + opening >= atMost && [...all].every(({ isUsed }) => isUsed)
      return mayHave(borrower) && !areAllUsed
    },
    forget: (borrower) => inUse.delete(borrower),
    changes,
  }

  const ground = poolDb(
    new BorrowingPool(lender, {
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
    listener,
    giveUp,
    poolFor: (borrower) => new BorrowingPool(lender, borrower),
    async end() {
      isEnded = true
      clearInterval(rest)
      clearInterval(look)
      listener.close()
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
