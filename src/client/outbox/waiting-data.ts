import { replaceEqualDeep } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { transact } from '../../offline/device-store.ts'
import { type Entry, unsettledStates } from '../../offline/entry.ts'
import { gathered } from '../../offline/gathered.ts'
import { watchOutbox } from '../../offline/outbox-news.ts'

/** Of everybody on this device. */
export const countWaiting = (): Promise<number> =>
  transact(['outbox'], 'readonly', async (tx) => {
    const byState = tx.objectStore('outbox').index('state')
    const counts = await Promise.all(unsettledStates.map((state) => byState.count(state)))
    return counts.reduce((sum, count) => sum + count, 0)
  })

export function useWaitingCount(): number {
  return useOutboxReading(countWaiting, 0)
}

/** A failure keeps the last reading. */
export const useOutboxReading = <T>(read: () => Promise<T>, initially: T): T =>
  useTriedReading(read, initially).reading

export type TriedReading<T> = { reading: T; trouble: unknown; again: () => void }

export function useTriedReading<T>(read: () => Promise<T>, initially: T): TriedReading<T> {
  const [{ reading, trouble }, setTried] = useState<{ reading: T; trouble: unknown }>({
    reading: initially,
    trouble: null,
  })
  const ask = useRef(() => {})
  useEffect(() => {
    let isOver = false
    const again = gathered(
      async () => {
        const value = await read()
        // What did not change stays the same object, so that its line is not drawn again.
        if (!isOver)
          setTried((before) => ({ reading: replaceEqualDeep(before.reading, value), trouble: null }))
      },
      (error) => {
        if (!isOver) setTried((before) => ({ ...before, trouble: error }))
      },
    )
    ask.current = again
    again()
    const stop = watchOutbox(again)
    return () => {
      isOver = true
      stop()
    }
  }, [read])
  return { reading, trouble, again: () => ask.current() }
}

/** `person` as `senderOf` writes it. */
export type OthersQueue = { person: string; username: string; count: number }

export type WaitingLists = {
  /** Oldest first. */
  mine: Entry[]
  others: OthersQueue[]
  /** Applied today or settled by a decision, latest first. */
  done: Entry[]
}
