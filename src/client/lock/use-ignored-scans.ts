import { useEffect, useRef } from 'react'

import { signalScan } from '../scanner/scan-feedback.ts'
import { currentPreferences } from '../page/preferences.ts'
import { watchIgnoredScans } from './watch-idle.ts'

/** A scan that comes while the page is away is heard to be refused, and told to whoever takes the place of the page. */
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
