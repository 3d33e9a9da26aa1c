import type { Db } from '../db/handles.ts'
import type { Doorbell } from './doorbell.ts'
import { type Changes, readChanges } from './read-changes.ts'

export type WatchTimes = {
  /** Between two looks after rings. */
  gather: number
  /** Until a look without a ring. */
  look: number
  /** Until a look without a ring while other processes cannot be heard. */
  lookDeaf: number
}

export type WatchSettings = {
  db: Db
  doorbell: Doorbell
  times: WatchTimes
  onChanges(changes: Changes): void
  onSessionsEnded(): void
  onTrouble(error: unknown): void
}

/** Reads the journal after a ring, again after one during a look, and now and then; returns how to stop. */
export async function watchJournal(settings: WatchSettings): Promise<() => void> {
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
