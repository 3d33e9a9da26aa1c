import { createHash } from 'node:crypto'

import pg from 'pg'

import type { ConnectionPool } from '../../../src/server/db/connections/borrowing-pool.ts'
import {
  isBatching,
  type Statement as SentStatement,
} from '../../../src/server/db/connections/named-statements.ts'

const nameOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 40)

/** A call's statement; one wave was under way together, and `lane` tells connections apart. */
export type Statement = { text: string; values: readonly unknown[]; wave: number; lane: number }

/** Listens to all that goes through a pool, so that the very same can be sent again without the product. */
export class StatementRecorder {
  #statements: Statement[] | null = null
  #lanes: pg.PoolClient[] = []
  #underWay = 0
  #wave = 0
  readonly #known = new WeakSet<pg.PoolClient>()

  constructor(pool: ConnectionPool) {
    pool.on('acquire', (client) => this.#listenTo(client))
  }

  /** The statements sent while `act` ran; nothing else may use the pool meanwhile. */
  async record<T>(act: () => Promise<T>): Promise<{ result: T; statements: Statement[] }> {
    const statements: Statement[] = []
    this.#statements = statements
    this.#lanes = []
    this.#wave = 0
    try {
      return { result: await act(), statements }
    } finally {
      this.#statements = null
    }
  }

  #listenTo(client: pg.PoolClient): void {
    if (this.#known.has(client)) return
    this.#known.add(client)
    const send = client.query.bind(client) as (...sent: unknown[]) => Promise<pg.QueryResult>
    const listening = async (...sent: unknown[]) => {
      const [text, values] = sent
      // What a pool sends of its own accord (`pool.query`) comes with a callback and is not the call's.
      if (typeof text !== 'string' || typeof sent.at(-1) === 'function') return send(...sent)
      const isOneOfBatch = isBatching(client) && Array.isArray(values) && values.length > 0
      if (isOneOfBatch) return send(...sent)
      return this.#listen(client, [[text, Array.isArray(values) ? values : []]], () => send(...sent))
    }
    client.query = listening as typeof client.query
    if (!isBatching(client)) return
    const sendTogether = client.together.bind(client)
    client.together = (statements) => this.#listen(client, statements, () => sendTogether(statements))
  }

  async #listen<T>(
    client: pg.PoolClient,
    sent: readonly SentStatement[],
    send: () => Promise<T>,
  ): Promise<T> {
    if (this.#underWay === 0) this.#wave += 1
    if (!this.#lanes.includes(client)) this.#lanes.push(client)
    const lane = this.#lanes.indexOf(client)
    for (const [text, values] of sent) this.#statements?.push({ text, values, wave: this.#wave, lane })
    this.#underWay += 1
    try {
      return await send()
    } finally {
      this.#underWay -= 1
    }
  }
}

/** Connections of bare `pg`, opened once. */
export async function openLanes(config: pg.ClientConfig, count: number): Promise<pg.Client[]> {
  const lanes = Array.from({ length: count }, () => new pg.Client(config))
  await Promise.all(lanes.map((lane) => lane.connect()))
  return lanes
}

/** Sends recorded statements again, each prepared by name, those of a wave together. */
export async function replay(statements: readonly Statement[], lanes: readonly pg.Client[]): Promise<void> {
  for (let at = 0; at < statements.length;) {
    const wave = statements.slice(at).filter((one) => one.wave === statements[at]?.wave)
    await Promise.all(
      wave.map(async ({ lane: at, text, values }) => {
        const lane = lanes[at]
        if (!lane) throw new Error('a call used more connections than were opened')
        // The embedded engine's connections are one session, whose names must differ.
        const name = `${at}_${nameOf(text)}`
        await lane.query(values.length > 0 ? { name, text, values: [...values] } : text)
      }),
    )
    at += wave.length
  }
}
