import { sql } from 'kysely'
import pg from 'pg'

import type { Db } from './handles.ts'
import { onSchema, openPool } from './pool.ts'

/** A copy of an environment's database that reads of the whole library may go to. */
export type Replica = {
  /** The copy as it is now, with the time of its state; null where it is behind, or does not answer. */
  ready(): Promise<ReadyReplica | null>
  close(): Promise<void>
}

export type ReadyReplica = { db: Db; stateAt: Date }

/** A copy that is further behind is not read: figures a minute old are of now for who reads them. */
const mostBehindMs = 60_000
const most = 3
/** It is asked before each read, which the database itself would answer meanwhile. */
const patienceMs = 2000
/** One that did not answer is not asked for so long: each read would wait for it first. */
const restMs = 10_000

type ReplicaSettings = {
  statementTimeoutMs: number
  mostBehindMs?: number
  /** Told when it begins not to be read, and when it is again. */
  onChange: (trouble: string | null) => void
}

export function openReplica(address: string, schema: string, settings: ReplicaSettings): Replica {
  const clients = new Set<pg.Client>()
  class Client extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      clients.add(this)
      this.once('end', () => clients.delete(this))
    }
  }
  const { pool, db } = openPool({
    connectionString: address,
    ...onSchema(schema),
    Client,
    application_name: 'comptoir',
    max: most,
    connectionTimeoutMillis: patienceMs,
    idleTimeoutMillis: 60_000,
    statement_timeout: settings.statementTimeoutMs,
    // The other end may be gone, and cancel nothing.
    query_timeout: settings.statementTimeoutMs + patienceMs,
  })
  const silence = () =>
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`it said nothing for ${patienceMs} ms`)), patienceMs).unref()
    })
  let restsUntil = -Infinity
  const bound = settings.mostBehindMs ?? mostBehindMs
  let told: string | null = null
  const tell = (trouble: string | null) => {
    if (trouble === told) return
    told = trouble
    settings.onChange(trouble)
  }
  return {
    async ready() {
      // All busy, it would be waited for longer than the database takes.
      const isFull = () => pool.totalCount >= most && pool.idleCount === 0
      if (performance.now() < restsUntil || isFull()) return null
      try {
        // Where nothing was written for long it seems behind, and the database, which is at rest then, is read.
        const asked = sql<{ at: string | null; behind: number | null }>`
          select at, extract(epoch from clock_timestamp() - at)::float8 * 1000 as behind from (
            select case when pg_is_in_recovery() then pg_last_xact_replay_timestamp() else clock_timestamp() end as at
          ) state`.execute(db)
        const { rows } = await Promise.race([asked, silence()])
        tell(null)
        const { at = null, behind = null } = rows[0] ?? {}
        return at !== null && behind !== null && behind <= bound ? { db, stateAt: new Date(at) } : null
      } catch (error) {
        restsUntil = performance.now() + restMs
        // A machine that is gone says nothing, and cuts nothing: what waits for it is given up, unless it was only busy.
        if (!isFull()) for (const { connection } of clients) connection.stream.destroy()
        tell(String(error))
        return null
      }
    },
    close: () => pool.end(),
  }
}
