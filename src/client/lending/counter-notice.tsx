import { Alert } from '@mantine/core'
import { useCallback, useState } from 'react'

import { OfferCopy } from '../catalogue/offer-copy.tsx'
import { type ScanSignal, signalScan } from '../scanner/scan-feedback.ts'
import { currentPreferences } from '../page/preferences.ts'

/** `unknown` is a code that may become a copy's. */
export type Notice = { signal: ScanSignal; text: string; unknown?: string | undefined }

const colours: Record<ScanSignal, string> = { success: 'lamp', warning: 'yellow', refusal: 'red' }

/** How the last scan or search ended: heard, felt, and kept on the screen until the next one. */
export function useNotice() {
  const [notice, setNotice] = useState<Notice | null>(null)
  const tell = useCallback((signal: ScanSignal, text: string, unknown?: string) => {
    setNotice({ signal, text, unknown })
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
          {notice.unknown === undefined ? null : (
            <OfferCopy display="block" mt="xs" code={notice.unknown} onAdded={onClose} />
          )}
        </Alert>
      ) : null}
    </div>
  )
}
