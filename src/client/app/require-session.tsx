import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'

import { useSession } from '../api/session.ts'
import { SiteGate } from '../session/site-gate.tsx'
import { useCurrentUser } from '../session/user-data.ts'

/** Sends to /login whoever is not signed in, and back to the wanted address after. */
export function RequireSession({ children }: { children: ReactNode }) {
  const session = useSession()
  const location = useLocation()
  useCurrentUser()
  if (!session) return <Navigate to="/login" replace state={{ from: location.pathname + location.search }} />
  return <SiteGate>{children}</SiteGate>
}
