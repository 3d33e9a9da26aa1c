import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router-dom'

import { useLibraryClock } from '../loans/use-today.ts'
import { useSession } from '../api/session.ts'
import { LibraryToday } from '../ui/library-today.ts'
import { startCounterWork } from '../outbox/counter-work.ts'

/** Sends the outbox, refreshes the device's data and keeps the screen lit for every signed-in screen. */
export function CounterProviders({ children }: { children: ReactNode }): ReactNode {
  const session = useSession()
  // The device works for the person, whatever profile they look at its screens by.
  const held = session?.user?.rights ?? []
  const isCounter = held.includes('LOANING_ADD') || held.includes('LOANING_RETURN')
  const isAtCounter = /^\/(home|loaning)(\/|$)/.test(useLocation().pathname)
  const person = session?.user?.id
  const site = session?.site?.id
  const { today } = useLibraryClock()
  const isReady = person !== undefined && site !== undefined
  useEffect(() => {
    if (person === undefined || site === undefined) return undefined
    return startCounterWork(site, isCounter)
  }, [person, site, isCounter])
  const counts = held.includes('INVENTORY')
  useEffect(() => (isReady ? startLater(loadWork, counts) : undefined), [isReady, person, site, counts])
  useEffect(() => (isCounter && isAtCounter ? startLater(loadAwake) : undefined), [isCounter, isAtCounter])
  return <LibraryToday value={today}>{children}</LibraryToday>
}

const loadWork = async () => (await import('./later-work.ts')).startLaterWork
const loadAwake = async () => (await import('../page/keep-awake.ts')).keepAwake

/** Starts what the first screen does not need; `load` and this answer how to stop it. */
function startLater<T extends unknown[]>(
  load: () => Promise<(...of: T) => () => void>,
  ...of: T
): () => void {
  let stop: (() => void) | undefined
  let isOver = false
  load().then(
    (start) => {
      if (!isOver) stop = start(...of)
    },
    () => undefined,
  )
  return () => {
    isOver = true
    stop?.()
  }
}
