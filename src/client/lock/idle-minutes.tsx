import { useEffect, useRef } from 'react'

import { canHoldLockCode, triesLeft } from '../../offline/lock-code.ts'
import { useNumberParameter } from '../settings/parameter-data.ts'
import { askForCode, setIdleMinutes } from './lock-state.ts'
import { useLockPerson } from './use-lock-person.ts'

/**
 * Follows how long the library lets a screen stand alone. Whoever has no code on this device is asked for one when the page opens or they
 * sign in; not in the middle of their work, should the library decide so meanwhile. `onLocking`: what the lock needs is to be fetched.
 */
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
    // Fetched now: the network may be gone when it is needed.
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
