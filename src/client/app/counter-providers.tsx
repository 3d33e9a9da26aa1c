import { type ReactNode, useEffect } from 'react'

import { ScanSourceProvider } from '../scanner/scan-source.tsx'
import { useRight, useSession } from '../session/session.ts'
import { usePreferences } from '../ui/preferences.ts'
import { startCounterWork } from '../waiting/counter-work.ts'

/** What every signed-in screen stands on: scans from any mouth, the outbox being sent, the device's knowledge kept fresh. */
export function CounterProviders({ children }: { children: ReactNode }) {
  const { scanner_prefix } = usePreferences()
  const session = useSession()
  const isCounter = useRight('LOANING_ADD', 'LOANING_RETURN')
  const person = session?.user?.id
  const site = session?.site?.id
  useEffect(() => {
    if (person === undefined || site === undefined) return undefined
    return startCounterWork(site, isCounter)
  }, [person, site, isCounter])
  useEffect(() => {
    if (person === undefined || site === undefined) return undefined
    let stop: (() => void) | undefined
    let isOver = false
    // Not needed to show the first screen.
    void import('../session/report-device.ts').then(
      ({ startDeviceReports }) => {
        if (!isOver) stop = startDeviceReports()
      },
      () => undefined,
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [person, site])
  return <ScanSourceProvider prefix={scanner_prefix}>{children}</ScanSourceProvider>
}
