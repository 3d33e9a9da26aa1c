import type { Logger } from 'pino'

import type { Environment } from '../db/environment.ts'
import { readChangeCursor } from './change-cursor.ts'
import type { Doorbell } from './doorbell.ts'
import { encodeChange, type EventStream, heartbeat, openEventStream, opening } from './event-stream.ts'
import { openSessions } from './open-sessions.ts'
import { readChanges } from './read-changes.ts'
import { watchJournal, type WatchTimes } from './watch-journal.ts'

export type FeedTimes = WatchTimes & {
  heartbeat: number
  check: number
  /** A stream ends after this or half as much more, and its client is admitted anew. */
  age: number
}

/** A session that opens more streams loses its oldest. */
const mostOfOneSession = 20

type Listener = { stream: EventStream; session: string; endsAt: number }

/** An environment's streams; it reads the journal only while there are any. */
export type ChangeFeed = {
  /** Answers a stream, or null once closed; `lastEventId` is the cursor of a broken stream. */
  open(session: Buffer, lastEventId: string | null): Promise<ReadableStream<Uint8Array> | null>
  readonly size: number
  close(): void
}

export type FeedSettings = {
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
    for (const { stream } of listeners) stream.send(chunk)
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
