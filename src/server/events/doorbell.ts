import pg from 'pg'

import type { Environment } from '../db/environment.ts'

/** Says that something was committed; a ring may be lost, so listeners also look unasked. */
export type Doorbell = {
  ring(): void
  /** Calls back at every ring, of any process; returns how to stop. */
  listen(onRing: () => void): () => void
  /** False while other processes' rings cannot be heard. */
  readonly isHearing: boolean
}

/** The embedded engine has one process, and cannot LISTEN. */
export function ownDoorbell(): Doorbell {
  const listeners = new Set<() => void>()
  return {
    ring: () => listeners.forEach((listener) => listener()),
    listen(onRing) {
      listeners.add(onRing)
      return () => listeners.delete(onRing)
    },
    isHearing: true,
  }
}

/** At most one notification of a process in this time. */
const gatherMs = 100
const shortestPauseMs = 100
const longestPauseMs = 5000

/** Rings between processes of one PostgreSQL by NOTIFY; `self` is this one, which need not hear itself. */
export function sharedDoorbell({ id, pool }: Pick<Environment, 'id' | 'pool'>, self: string): Doorbell {
  const own = ownDoorbell()
  const channel = `comptoir_env_${id}`
  let gathering: NodeJS.Timeout | undefined
  let isRungMeanwhile = false
  let isHearing = false

  const tellOthers = () => {
    // After the commit, because NOTIFY holds a lock of the whole cluster until its commit is on disk.
    pool.query('select pg_notify($1, $2)', [channel, self]).catch(() => undefined)
    gathering = setTimeout(() => {
      gathering = undefined
      if (isRungMeanwhile) tellOthers()
    }, gatherMs).unref()
    isRungMeanwhile = false
  }

  const hear = (onRing: () => void) => {
    let client: pg.Client | undefined
    let again: NodeJS.Timeout | undefined
    let pauseMs = shortestPauseMs
    let isStopped = false

    const connect = async () => {
      const opened = new pg.Client({ ...pool.options, keepAlive: true })
      client = opened
      let isLost = false
      const lose = () => {
        if (isLost) return
        isLost = true
        opened.end().catch(() => undefined)
        isHearing = false
        if (isStopped) return
        again = setTimeout(() => void connect(), pauseMs)
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      }
      opened.on('error', lose)
      opened.on('end', lose)
      opened.on('notification', ({ payload }) => {
        if (payload !== self) onRing()
      })
      try {
        await opened.connect()
        await opened.query(`listen ${channel}`)
        pauseMs = shortestPauseMs
        isHearing = true
        // Looks for what rang before anybody heard.
        onRing()
      } catch {
        lose()
      }
    }

    void connect()
    return () => {
      isStopped = true
      isHearing = false
      clearTimeout(again)
      client?.end().catch(() => undefined)
    }
  }

  return {
    ring() {
      own.ring()
      if (gathering) isRungMeanwhile = true
      else tellOthers()
    },
    listen(onRing) {
      const stops = [own.listen(onRing), hear(onRing)]
      return () => stops.forEach((stop) => stop())
    },
    get isHearing() {
      return isHearing
    },
  }
}
