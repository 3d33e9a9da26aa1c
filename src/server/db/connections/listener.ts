import type pg from 'pg'

import { emitter } from '../../../domain/emitter.ts'
import { type Asking, type SchemaLock, SchemaReplacedError } from './schema-lock.ts'

/** The one connection of a server process that hears what other processes tell, and holds the locks of what is open. */
export type Listener = {
  /** Calls back at each notification, and once whenever it begins to hear; returns how to stop. */
  listen(channel: string, onRing: (payload: string | null) => void): () => void
  /** Holds an environment's lock until the returned function is called; throws what `take` throws. */
  keep(lock: SchemaLock): Promise<() => Promise<void>>
  /** Whether its connection answers within so many milliseconds; one that is being made counts as answered. */
  isAnswered(withinMs: number): Promise<boolean>
  /** Gives its connection up and makes another. */
  begin(): void
  /** False while other processes cannot be heard. */
  readonly isHearing: boolean
  close(): void
}

const shortestPauseMs = 100
const longestPauseMs = 5000
/** A timer is so late in a process that was suspended, or far too busy. */
const lateMs = 500

/** Its statements one after the other, whoever asks meanwhile. */
function inTurn(client: pg.Client): Asking {
  let last: Promise<unknown> = Promise.resolve()
  return {
    query(text, values) {
      const asked = last.then(() => client.query(text, values))
      last = asked.catch(() => undefined)
      return asked
    },
  }
}

/** An environment that was replaced closes by itself; the others are heard all the same. */
function unlessReplaced(error: unknown): void {
  if (!(error instanceof SchemaReplacedError)) throw error
}

type Ring = [payload: string | null]

export function openListener(openClient: () => Promise<pg.Client>): Listener {
  const rings = new Map<string, ReturnType<typeof emitter<Ring>>>()
  const locks = new Set<SchemaLock>()
  let client: pg.Client | null = null
  let asking: Asking | null = null
  let connecting: Promise<Asking> | null = null
  let again: NodeJS.Timeout | undefined
  let pauseMs = shortestPauseMs
  let isHearing = false
  let isClosed = false

  const tell = (channel: string, payload: string | null) => rings.get(channel)?.tell(payload)

  async function connect(): Promise<Asking> {
    const opened = await openClient().catch((error: unknown) => {
      isHearing = false
      connectAgain()
      throw error
    })
    const own = inTurn(opened)
    let isLost = false
    const lose = () => {
      if (isLost) return
      isLost = true
      opened.end().catch(() => undefined)
      if (client === opened) [client, asking] = [null, null]
      isHearing = false
      connectAgain()
    }
    opened.on('error', lose)
    opened.on('end', lose)
    opened.on('notification', ({ channel, payload }) => tell(channel, payload ?? null))
    try {
      for (const lock of locks) await lock.take(own).catch(unlessReplaced)
      for (const channel of rings.keys()) await own.query(`listen ${channel}`)
    } catch (error) {
      lose()
      throw error
    }
    if (isClosed) {
      lose()
      throw new Error('the connections are closed')
    }
    client = opened
    asking = own
    pauseMs = shortestPauseMs
    isHearing = true
    // Looks for what rang before anybody heard.
    for (const channel of rings.keys()) tell(channel, null)
    return own
  }

  function connectAgain(): void {
    if (isClosed || (rings.size === 0 && locks.size === 0)) return
    clearTimeout(again)
    again = setTimeout(() => void connected().catch(() => undefined), pauseMs).unref()
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }

  const connected = (): Promise<Asking> =>
    asking
      ? Promise.resolve(asking)
      : (connecting ??= connect().finally(() => {
          connecting = null
        }))

  return {
    listen(channel, onRing) {
      const known = rings.get(channel)
      const ring = known ?? emitter<Ring>()
      const stop = ring.watch(onRing)
      rings.set(channel, ring)
      if (known) onRing(null)
      else
        void connected()
          .then((heard) => heard.query(`listen ${channel}`))
          .then(() => tell(channel, null))
          .catch(() => undefined)
      return () => {
        stop()
        if (ring.isWatched()) return
        rings.delete(channel)
        asking?.query(`unlisten ${channel}`).catch(() => undefined)
      }
    },
    async keep(lock) {
      const held = await connected()
      await lock.take(held)
      locks.add(lock)
      return async () => {
        locks.delete(lock)
        await asking?.query(lock.leave).catch(() => undefined)
      }
    },
    isAnswered(withinMs) {
      if (!asking) return Promise.resolve(true)
      const askedAt = performance.now()
      // So late a timer says that this process slept itself, and nothing of the database: it is asked again.
      const didSleep = () => performance.now() - askedAt > withinMs + lateMs
      return Promise.race([
        asking.query('select 1').then(
          () => true,
          () => true,
        ),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(didSleep()), withinMs).unref()),
      ])
    },
    begin() {
      client?.connection.stream.destroy()
    },
    get isHearing() {
      return isHearing
    },
    close() {
      isClosed = true
      isHearing = false
      clearTimeout(again)
      client?.end().catch(() => undefined)
      client = null
      asking = null
    },
  }
}
