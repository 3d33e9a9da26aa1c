import { Alert } from '@mantine/core'
import { useCallback, useState } from 'react'

import type { Tell } from '../counter/use-engine.ts'
import { type ScanSignal, signalScan } from '../scanner/scan-feedback.ts'
import { currentPreferences } from '../page/preferences.ts'
import styles from './counter.module.css'

/** `hasLine`: a line says it as well, in sight but on a phone. */
type Notice = { signal: ScanSignal; text: string; hasLine: boolean }

const colours: Record<ScanSignal, string> = { success: 'lamp', warning: 'yellow', refusal: 'red' }

/** How the last scan or search ended: heard, felt, and kept on the screen until the next one. */
export function useNotice() {
  const [notice, setNotice] = useState<Notice | null>(null)
  const tell: Tell = useCallback((signal, text, hasLine = false) => {
    setNotice({ signal, text, hasLine })
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
          className={notice.hasLine ? (styles['hasLine'] ?? '') : ''}
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
