import { sql } from 'kysely'

import { openConnections } from './connections.ts'
import type { Db } from '../handles.ts'
import type { Borrower } from './held-connection.ts'
import { timelineNow } from '../past.ts'
import { poolDb } from './pool.ts'
import { noLockOn, noSchemaLock } from './schema-lock.ts'

/** A copy that follows the database, whose few connections the environments of a server share. */
export type Replica = {
  /** Its part that an environment's reads go to; `timeline` tells the database's own, as it is now. */
  of(schema: string, timeline: () => Promise<string | null>): LibraryReplica
  end(): Promise<void>
}

/** A copy of an environment's database that reads of the whole library may go to. */
export type LibraryReplica = {
  /** The copy as it is now, with the time of its state; null where it is behind, does not answer, or has no connection free. */
  ready(): Promise<ReadyReplica | null>
  close(): Promise<void>
}

type ReadyReplica = { db: Db; stateAt: Date }

/** To the copy, from a server process, however many environments it serves. */
export const mostReadConnections = 6
/** So many of them at once for one environment. */
const most = 3
/** A copy that is further behind is not read: figures a minute old are of now for who reads them. */
const mostBehindMs = 60_000
/** It is asked before each read, which the database itself would answer meanwhile. */
const patienceMs = 2000
/** One that did not answer is not asked for so long: each read would wait for it first. */
const restMs = 10_000

type ReplicaSettings = {
  most?: number
  statementTimeoutMs: number
  mostBehindMs?: number
  /** Told when it begins not to be read, and when it is again. */
  onChange: (trouble: string | null) => void
}

type State = { at: string | null; behind: number | null; own: string | null }

export function openReplica(address: string, settings: ReplicaSettings): Replica {
  const { statementTimeoutMs } = settings
  const connections = openConnections(address, {
    name: 'comptoir-reads',
    // One more is for an ear, which a copy has not.
    most: (settings.most ?? mostReadConnections) + 1,
    openedWithinMs: patienceMs,
    answeredWithinMs: statementTimeoutMs + patienceMs,
  })
  const poolFor = (borrower: Pick<Borrower, 'schema' | 'lock' | 'most'>) =>
    connections.poolFor({
      ...borrower,
      isLongReads: false,
      statementTimeout: statementTimeoutMs,
      patience: patienceMs,
    })
  const ground = poolDb(poolFor({ schema: 'public', lock: noSchemaLock, most: 1 }))
  let asked: Promise<State> | null = null
  /** Asked once for all who wait for it, which is before any of them reads. */
  const state = (): Promise<State> =>
    (asked ??= Promise.race([stateNow(ground), silence()]).finally(() => {
      asked = null
    }))
  let restsUntil = -Infinity
  const bound = settings.mostBehindMs ?? mostBehindMs
  let told: string | null = null
  const tell = (trouble: string | null) => {
    if (trouble === told) return
    told = trouble
    settings.onChange(trouble)
  }
  const giveRest = (trouble: string) => {
    restsUntil = performance.now() + restMs
    tell(trouble)
  }
  return {
    of(schema, timeline) {
      const pool = poolFor({ schema, lock: noLockOn(`${schema}, public`), most })
      const db = poolDb(pool)
      return {
        async ready() {
          // All busy, it would be waited for longer than the database takes.
          if (performance.now() < restsUntil || !pool.isFree) return null
          try {
            const { at, behind, own } = await state()
            // What was promoted by itself, or came back from before a promotion, is up to date with nobody.
            if (own !== null && own !== (await timeline())) {
              giveRest('it takes writes of its own, and is no copy of this database any more')
              return null
            }
            tell(null)
            return at !== null && behind !== null && behind <= bound ? { db, stateAt: new Date(at) } : null
          } catch (error) {
            // Busy meanwhile, it is as good as before.
            if (!pool.isFree) return null
            // A machine that is gone says nothing, and cuts nothing: what waits for it is given up.
            connections.giveUp()
            giveRest(String(error))
            return null
          }
        },
        close: () => pool.end(),
      }
    },
    end: () => connections.end(),
  }
}

/** Where nothing was written for long it seems behind, and the database, which is at rest then, is read. */
async function stateNow(db: Db): Promise<State> {
  const { rows } = await sql<State>`
    select at, own, extract(epoch from clock_timestamp() - at)::float8 * 1000 as behind from (
      select case when pg_is_in_recovery() then pg_last_xact_replay_timestamp() else clock_timestamp() end as at, ${sql.raw(timelineNow)} as own
    ) state`.execute(db)
  return rows[0] ?? { at: null, behind: null, own: null }
}

const silence = () =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`it said nothing for ${patienceMs} ms`)), patienceMs).unref()
  })
