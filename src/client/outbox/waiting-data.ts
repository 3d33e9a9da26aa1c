import { replaceEqualDeep } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'

import { transact } from '../../offline/device-store.ts'
import { type Entry, isUnsettled, personOf, senderOf, unsettledStates } from '../../offline/entry.ts'
import { gathered } from '../../offline/gathered.ts'
import { watchOutbox } from '../../offline/outbox-news.ts'
import { listEntries } from '../../offline/outbox.ts'
import { useSession } from '../api/session.ts'

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

type TriedReading<T> = { reading: T; trouble: unknown; again: () => void }

function useTriedReading<T>(read: () => Promise<T>, initially: T): TriedReading<T> {
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

export function useWaitingLists(): TriedReading<WaitingLists | null> {
  const session = useSession()
  const environment_id = session?.environment_id ?? null
  const user_id = session?.user?.id ?? null
  const read = useCallback(
    async (): Promise<WaitingLists | null> =>
      environment_id === null || user_id === null
        ? null
        : sortedOut(await listEntries(), personOf({ environment_id, user_id }), new Date()),
    [environment_id, user_id],
  )
  return useTriedReading(read, null)
}

function sortedOut(entries: readonly Entry[], person: string, now: Date): WaitingLists {
  const unsettled = entries.filter(isUnsettled)
  const others = new Map<string, OthersQueue>()
  for (const entry of unsettled.filter((one) => senderOf(one) !== person)) {
    const sender = senderOf(entry)
    const queue = others.get(sender) ?? {
      person: sender,
      username: entry.adopted_by?.username ?? entry.username,
      count: 0,
    }
    others.set(sender, { ...queue, count: queue.count + 1 })
  }
  const isToday = ({ settled_at }: Entry) =>
    settled_at !== null && new Date(settled_at).toDateString() === now.toDateString()
  return {
    mine: unsettled.filter((one) => senderOf(one) === person),
    others: [...others.values()],
    done: entries.filter((one) => !isUnsettled(one) && senderOf(one) === person && isToday(one)).toReversed(),
  }
}
