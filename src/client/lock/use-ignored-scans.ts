import { useEffect, useRef } from 'react'

import { signalScan } from '../scanner/scan-feedback.ts'
import { currentPreferences } from '../page/preferences.ts'
import { watchIgnoredScans } from './watch-idle.ts'

/** Sounds a refusal for scans while the page is away, and tells the caller. */
export function useIgnoredScans(onScan: () => void): void {
  const latest = useRef(onScan)
  useEffect(() => {
    latest.current = onScan
  })
  useEffect(
    () =>
      watchIgnoredScans(() => {
        signalScan('refusal', { sound: currentPreferences().sound })
        latest.current()
      }),
    [],
  )
}
