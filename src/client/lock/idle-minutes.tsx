import { useEffect, useRef } from 'react'

import { canHoldLockCode, triesLeft } from '../../offline/lock-code.ts'
import { useNumberParameter } from '../settings/parameter-data.ts'
import { askForCode, setIdleMinutes } from './lock-state.ts'
import { useLockPerson } from './use-lock-person.ts'

/** Asks for a missing code when the page opens or at sign-in, never in the middle of work. */
export function IdleMinutes({ onLocking }: { onLocking: () => Promise<unknown> }) {
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
    if (!canHoldLockCode()) return
    triesLeft(person).then(
      (left) => {
        if (left === null) askForCode()
      },
      () => undefined,
    )
  }, [minutes, person, onLocking])
  return null
}
