import { sql } from 'kysely'
import type { Logger } from 'pino'

import type { Environment } from '../db/environments/environment.ts'
import type { Db } from '../db/handles.ts'
import { readChangeCursor } from './change-cursor.ts'
import type { Doorbell } from './doorbell.ts'
import { encodeChange, type EventStream, heartbeat, openEventStream, opening } from './event-stream.ts'
import { type Changes, readChanges } from './read-changes.ts'

/** Which sessions (token hashes, hex) are still open; their length is checked when a stream is renewed. */
async function openSessions(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select encode(s.token_hash, 'hex') as hash from sessions s join users u on u.id = s.user_id
    where s.token_hash in (select decode(given, 'hex') from unnest(${hashes}::text[]) given)
      and s.revoked_at is null and u.enabled and u.deleted_at is null`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}

type WatchTimes = {
  /** Between two looks after rings. */
  gather: number
  /** Until a look without a ring. */
  look: number
  /** Until a look without a ring while other processes cannot be heard. */
  lookDeaf: number
}

type WatchSettings = {
  db: Db
  doorbell: Doorbell
  times: WatchTimes
  onChanges(changes: Changes): void
  onSessionsEnded(): void
  onTrouble(error: unknown): void
}

/** Reads the journal after a ring, again after one during a look, and now and then; returns how to stop. */
async function watchJournal(settings: WatchSettings): Promise<() => void> {
  const { db, doorbell, times, onChanges, onSessionsEnded, onTrouble } = settings
  let { cursor } = await readChanges(db, null)
  let timer: NodeJS.Timeout | undefined
  let lastLook = -Infinity
  let isLooking = false
  let isRung = false
  let isStopped = false

  const look = async () => {
    isLooking = true
    isRung = false
    lastLook = performance.now()
    try {
      const changes = await readChanges(db, cursor)
      if (isStopped) return
      cursor = changes.cursor
      if (changes.ends_sessions) onSessionsEnded()
      if (changes.resources === null || changes.resources.length > 0) onChanges(changes)
    } catch (error) {
      if (!isStopped) onTrouble(error)
    } finally {
      isLooking = false
      schedule()
    }
  }
  const schedule = () => {
    if (isLooking || isStopped) return
    clearTimeout(timer)
    const pause = isRung ? times.gather : doorbell.isHearing ? times.look : times.lookDeaf
    timer = setTimeout(() => void look(), Math.max(0, lastLook + pause - performance.now()))
  }

  const stopListening = doorbell.listen(() => {
    isRung = true
    schedule()
  })
  schedule()
  return () => {
    isStopped = true
    clearTimeout(timer)
    stopListening()
  }
}

export type FeedTimes = WatchTimes & {
  heartbeat: number
  check: number
  /** A stream ends after this or half as much more, and its client is admitted anew. */
  age: number
}

/** A session that opens more streams loses its oldest. */
const mostOfOneSession = 20

type Listener = {
  stream: EventStream
  session: string
  endsAt: number
  /** News that come before its own first answer; null once that is sent. */
  early: Uint8Array[] | null
}

/** An environment's streams; it reads the journal only while there are any. */
export type ChangeFeed = {
  /** Answers a stream, or null once closed; `lastEventId` is the cursor of a broken stream. */
  open(session: Buffer, lastEventId: string | null): Promise<ReadableStream<Uint8Array> | null>
  readonly size: number
  close(): void
}

type FeedSettings = {
  environment: Pick<Environment, 'id' | 'db' | 'use'>
  doorbell: Doorbell
  logger: Logger
  times: FeedTimes
}

export function openChangeFeed({ environment, doorbell, logger, times }: FeedSettings): ChangeFeed {
  const { db } = environment
  const listeners = new Set<Listener>()
  let work: Promise<() => void> | null = null
  let isClosed = false

  const sendAll = (chunk: Uint8Array) => {
    for (const { stream, early } of listeners) {
      if (early) early.push(chunk)
      else stream.send(chunk)
    }
  }
  const warn = (message: string) => (error: unknown) =>
    logger.warn({ err: error, environment: environment.id }, message)

  const endWhatIsOver = async () => {
    // Who comes while the sessions are read is not judged by them.
    const asked = [...listeners]
    const open = await openSessions(db, [...new Set(asked.map(({ session }) => session))])
    for (const { stream, session, endsAt } of asked) {
      if (!open.has(session) || Date.now() > endsAt) stream.end()
    }
  }

  // A slow database is not asked again before it has answered.
  let isChecking = false
  let isAskedAgain = false
  const checkSessions = async () => {
    isAskedAgain = true
    if (isChecking) return
    isChecking = true
    while (isAskedAgain) {
      isAskedAgain = false
      await endWhatIsOver().catch(warn('sessions of streams out of reach'))
    }
    isChecking = false
  }

  async function begin(): Promise<() => void> {
    const stopWatching = await watchJournal({
      db,
      doorbell,
      times,
      onChanges: ({ resources, cursor }) => sendAll(encodeChange({ resources }, cursor)),
      onSessionsEnded: () => void checkSessions(),
      onTrouble: warn('changes out of reach'),
    })
    const beat = setInterval(() => {
      environment.use()
      sendAll(heartbeat)
    }, times.heartbeat)
    const check = setInterval(() => void checkSessions(), times.check)
    return () => {
      stopWatching()
      clearInterval(beat)
      clearInterval(check)
    }
  }

  /** Where the start failed, the next stream tries again. */
  const begun = async () => {
    const beginning = (work ??= begin())
    try {
      await beginning
    } catch (error) {
      if (work === beginning) work = null
      throw error
    }
  }

  const leave = (listener: Listener) => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    void work?.then((stop) => stop()).catch(() => undefined)
    work = null
  }

  return {
    async open(session, lastEventId) {
      if (isClosed) return null
      const listener: Listener = {
        stream: openEventStream(() => leave(listener)),
        session: session.toString('hex'),
        endsAt: Date.now() + times.age * (1 + Math.random() / 2),
        early: [],
      }
      const { stream } = listener
      const ofSession = [...listeners].filter((other) => other.session === listener.session)
      if (ofSession.length >= mostOfOneSession) ofSession[0]?.stream.end()
      // It listens before its journal is read, so that no change falls between.
      listeners.add(listener)
      try {
        await begun()
        const since = lastEventId === null ? null : readChangeCursor(lastEventId)
        const { resources, cursor } = await readChanges(db, since)
        stream.send(opening)
        stream.send(encodeChange({ resources }, cursor))
        for (const chunk of listener.early ?? []) stream.send(chunk)
        listener.early = null
      } catch (error) {
        stream.end()
        throw error
      }
      return stream.body
    },
    get size() {
      return listeners.size
    },
    close() {
      isClosed = true
      for (const { stream } of listeners) stream.end()
    },
  }
}
