import { sql } from 'kysely'

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

type ReplicaSettings = {
  statementTimeoutMs: number
  mostBehindMs?: number
  /** Told when it begins not to be read, and when it is again. */
  onChange: (trouble: string | null) => void
}

export function openReplica(address: string, schema: string, settings: ReplicaSettings): Replica {
  const { pool, db } = openPool({
    connectionString: address,
    ...onSchema(schema),
    application_name: 'comptoir',
    max: most,
    connectionTimeoutMillis: patienceMs,
    idleTimeoutMillis: 60_000,
    statement_timeout: settings.statementTimeoutMs,
  })
  const bound = settings.mostBehindMs ?? mostBehindMs
  let told: string | null = null
  const tell = (trouble: string | null) => {
    if (trouble === told) return
    told = trouble
    settings.onChange(trouble)
  }
  return {
    async ready() {
      try {
        // Where nothing was written for long it seems behind, and the database, which is at rest then, is read.
        const { rows } = await sql<{ at: string | null; behind: number | null }>`
          select at, extract(epoch from clock_timestamp() - at)::float8 * 1000 as behind from (
            select case when pg_is_in_recovery() then pg_last_xact_replay_timestamp() else clock_timestamp() end as at
          ) state`.execute(db)
        tell(null)
        const { at = null, behind = null } = rows[0] ?? {}
        return at !== null && behind !== null && behind <= bound ? { db, stateAt: new Date(at) } : null
      } catch (error) {
        tell(String(error))
        return null
      }
    },
    close: () => pool.end(),
  }
}
