import { lazy, type ReactNode, Suspense, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'

import { useSession } from '../api/session.ts'
import { awayPlace, bringPageBack, putPageAway } from '../page/page-away.ts'
import { IdleMinutes } from './idle-minutes.tsx'
import { useVeil } from './lock-state.ts'
import { SendingAlone } from './sending-alone.tsx'
import { watchIdle } from './watch-idle.ts'

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
