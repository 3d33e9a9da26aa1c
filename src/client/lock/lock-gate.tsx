import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

import { useSession } from '../api/session.ts'
import { startCounterWork } from '../outbox/counter-work.ts'
import { awayPlace, bringPageBack, putPageAway } from '../page/page-away.ts'
import { useNumberParameter } from '../settings/parameter-data.ts'
import { askForCode, setIdleMinutes, useVeil } from './lock-state.ts'
import { type LockPerson, useLockPerson } from './use-lock-person.ts'
import { watchIdle } from './watch-idle.ts'

/** Asks for a missing code when the page opens or at sign-in, never in the middle of work. */
function IdleMinutes({ onLocking }: { onLocking: () => Promise<unknown> }) {
  const person = useLockPerson()
  const minutes = useNumberParameter('idle_lock_minutes')
  const isDecided = useRef(false)
  useEffect(() => {
    if (minutes !== undefined) setIdleMinutes(minutes)
  }, [minutes])
  useEffect(() => {
    if (minutes === undefined || person === null || isDecided.current) return
    isDecided.current = true
    if (minutes === 0) return
    // Fetched now, because the network may be gone when the lock needs it.
    void onLocking().catch(() => undefined)
    void lacksCode(person).then(
      (isAsked) => {
        if (isAsked) askForCode()
      },
      () => undefined,
    )
  }, [minutes, person, onLocking])
  return null
}

async function lacksCode(person: LockPerson): Promise<boolean> {
  const { canHoldLockCode, triesLeft } = await import('../../offline/lock-code.ts')
  return canHoldLockCode() && (await triesLeft(person)) === null
}

/** Sends what waits while no screen is there to do it; the snapshot follows later. */
function SendingAlone() {
  useEffect(() => startCounterWork(0, false), [])
  return null
}

const loadLockScreen = () => import('./lock-screen.tsx')
const LockScreen = lazy(loadLockScreen)
const AskCodeScreen = lazy(() => import('./ask-code-screen.tsx'))

/** Locked screens live on outside the document; a page opened locked makes them at unlocking. */
export function LockGate({ children }: { children: ReactNode }) {
  const isSignedIn = useSession() !== null
  const veil = useVeil()
  const isVeiled = veil !== null
  const [isMade, setMade] = useState(veil !== 'locked')
  if (veil !== 'locked' && !isMade) setMade(true)

  // Before the screens listen to keys, and before anything is painted.
  useLayoutEffect(watchIdle, [])
  useLayoutEffect(() => {
    if (!isVeiled) return undefined
    putPageAway()
    return bringPageBack
  }, [isVeiled])

  return (
    <>
      {isMade ? children : <SendingAlone />}
      {isSignedIn ? <IdleMinutes onLocking={loadLockScreen} /> : null}
      {isVeiled
        ? createPortal(
            <Suspense fallback={null}>{veil === 'locked' ? <LockScreen /> : <AskCodeScreen />}</Suspense>,
            awayPlace,
          )
        : null}
    </>
  )
}
