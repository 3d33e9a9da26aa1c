import { Button, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { type RefObject, useEffect, useState } from 'react'

import type { Download } from '../../contract/files.ts'
import styles from './labels.module.css'

/** Whether this browser shows a PDF within a page; most on phones do not. */
export const showsPdf = (): boolean => navigator.pdfViewerEnabled

/** Small pictures of its pages would take half of the room for the labels. */
const withoutThumbnails = '#navpanes=0'

/** The address of a file that the page holds, as long as it is shown. */
export function useAddressOf(file: Download | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return setAddress(null)
    const made = URL.createObjectURL(file.content)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}

type LabelPreviewProps = { address: string; frame: RefObject<HTMLIFrameElement | null> }

/** The very file that is printed, in the page, or behind a button where browsers do not show it there. */
export function LabelPreview({ address, frame }: LabelPreviewProps) {
  return (
    <div className={styles['preview']}>
      {showsPdf() ? (
        // Browsers show no PDF in a sandbox; what is shown was made by our own server.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        <iframe ref={frame} src={address + withoutThumbnails} title="Aperçu des étiquettes" />
      ) : (
        <Text c="dimmed">
          Cet appareil ne montre pas les PDF dans une page&#8239;: l’aperçu s’ouvre à part.
        </Text>
      )}
      <div>
        <Button
          component="a"
          href={address}
          target="_blank"
          rel="noreferrer"
          variant={showsPdf() ? 'subtle' : 'default'}
          leftSection={<IconExternalLink size="1.2em" aria-hidden />}
        >
          Ouvrir l’aperçu dans un onglet
        </Button>
      </div>
    </div>
  )
}
