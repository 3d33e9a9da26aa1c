import { Alert } from '@mantine/core'
import { useCallback, useState } from 'react'

import { type ScanSignal, signalScan } from '../scanner/scan-feedback.ts'
import { currentPreferences } from '../page/preferences.ts'

type Notice = { signal: ScanSignal; text: string }

const colours: Record<ScanSignal, string> = { success: 'lamp', warning: 'yellow', refusal: 'red' }

/** How the last scan or search ended: heard, felt, and kept on the screen until the next one. */
export function useNotice() {
  const [notice, setNotice] = useState<Notice | null>(null)
  const tell = useCallback((signal: ScanSignal, text: string) => {
    setNotice({ signal, text })
    signalScan(signal, { sound: currentPreferences().sound })
  }, [])
  const forget = useCallback(() => setNotice(null), [])
  return { notice, tell, forget }
}

/** The last notice; its place stays in the page, so that it is read aloud when it changes. */
export function CounterNotice({ notice, onClose }: { notice: Notice | null; onClose: () => void }) {
  return (
    <div aria-live="polite">
      {notice ? (
        <Alert
          color={colours[notice.signal]}
          role="note"
          p="sm"
          withCloseButton
          closeButtonLabel="Fermer le message"
          onClose={onClose}
        >
          {notice.text}
        </Alert>
      ) : null}
    </div>
  )
}
