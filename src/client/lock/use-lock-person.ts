import { useMemo } from 'react'

import { useSession } from '../api/session.ts'

export type LockPerson = { environment_id: number; user_id: number }

/** Null until the signed-in person is known. */
export function useLockPerson(): LockPerson | null {
  const session = useSession()
  const environment_id = session?.environment_id ?? null
  const user_id = session?.user?.id ?? null
  return useMemo(
    () => (environment_id === null || user_id === null ? null : { environment_id, user_id }),
    [environment_id, user_id],
  )
}
