import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'

import { useSession } from '../api/session.ts'
import { LockGate } from '../lock/lock-gate.tsx'
import { SiteGate } from '../session/site-gate.tsx'
import { useCurrentUser } from '../session/user-data.ts'
import { Frame } from './frame.tsx'

/** The frame with its door, and its lock. */
export default function SignedInFrame() {
  return (
    <LockGate>
      <RequireSession>
        <Frame />
      </RequireSession>
    </LockGate>
  )
}

/** Sends to /login whoever is not signed in, or has something to choose first, and back after. */
export function RequireSession({ children }: { children: ReactNode }) {
  const session = useSession()
  const location = useLocation()
  const due = useCurrentUser()?.due
  if (!session || due) {
    const state = { from: location.pathname + location.search }
    return <Navigate to={session ? '/login/due' : '/login'} replace state={state} />
  }
  return <SiteGate>{children}</SiteGate>
}
