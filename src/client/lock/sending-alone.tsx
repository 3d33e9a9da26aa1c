import { useEffect } from 'react'

import { startCounterWork } from '../outbox/counter-work.ts'

/** Sends what waits while no screen is there to do it; the snapshot follows later. */
export function SendingAlone() {
  useEffect(() => startCounterWork(0, false), [])
  return null
}
