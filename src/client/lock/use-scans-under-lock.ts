import { useEffect, useRef } from 'react'

import { signalScan } from '../scanner/scan-feedback.ts'
import { currentPreferences } from '../page/preferences.ts'
import { watchScansUnderLock } from './watch-idle.ts'

/** Sounds a refusal for scans while the page is away, and tells the caller. */
export function useScansUnderLock(onScan: (isKept: boolean) => void): void {
  const latest = useRef(onScan)
  useEffect(() => {
    latest.current = onScan
  })
  useEffect(
    () =>
      watchScansUnderLock((isKept) => {
        signalScan('refusal', { sound: currentPreferences().sound })
        latest.current(isKept)
      }),
    [],
  )
}
