import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from 'react-router-dom'

import { useSession } from '../api/session.ts'
import { currentPreferences } from '../page/preferences.ts'
import { sayIgnored } from '../scanner/ignored-scan.ts'
import { signalScan } from '../scanner/scan-feedback.ts'
import { type ScanHandler, useScans } from '../scanner/scan-source.tsx'
import { keepNotTaken } from '../scanner/scans-not-taken.ts'

/** A card that no screen takes opens its reader; any other code is said to wait, as everywhere. */
export function ScannedReaders(): null {
  const client = useQueryClient()
  const navigate = useNavigate()
  const rights = useSession()?.user?.rights ?? []
  const turn = useRef(0)
  const open: ScanHandler = (code, symbology) => {
    const own = ++turn.current
    const find = async () => {
      const { addressOfScannedReader } = await import('../find/open-scan.ts')
      return addressOfScannedReader(client, (right) => rights.includes(right), code, symbology)
    }
    void find()
      .catch(() => null)
      .then((to) => {
        // A later scan makes this answer void, but not the code.
        if (own !== turn.current) return keepNotTaken(code, symbology)
        if (to === null) return sayIgnored(code, { symbology })
        signalScan('success', currentPreferences())
        void navigate(to)
      })
  }
  useScans(open)
  return null
}
