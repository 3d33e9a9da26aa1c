import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'

import { Alert, Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'

import { previewMailTemplate, testMailTemplate } from '../../contract/mail-templates.ts'
import type { MailCode, MailPart } from '../../domain/mail-occasions.ts'
import { useChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { sayError } from '../page/messages.ts'
import { Dialog, DialogButtons } from '../ui/dialogs/dialog.tsx'
import { LoadingText } from '../ui/loading-text.tsx'
import styles from './mail.module.css'
import { sayMailed, trialTo } from './say-mailed.ts'
import { inWords } from '../page/house-words.ts'

type TemplatePreviewProps = {
  code: MailCode
  name: string
  /** What is written and not saved; none for who may only read. */
  written: Partial<Record<MailPart, string>>
  onClose: () => void
}

/** The mail as the server writes it for an invented reader, as wide as a telephone and as a desk. */
export function TemplatePreview({ code, name, written, onClose }: TemplatePreviewProps) {
  const mayChange = useRight('PARAMETER_MAIL')
  const preview = useChange(previewMailTemplate)
  const test = useChange(testMailTemplate)
  const [width, setWidth] = useState('desktop')
  const body = { code, ...written }
  const { mutate } = preview
  useEffect(() => {
    mutate({ body })
    // oxlint-disable-next-line react/exhaustive-deps -- asked for once, of what was written as it opened
  }, [mutate])
  return (
    <Dialog title={`Aperçu\u202f: ${name}`} size="xl" onClose={onClose}>
      <Stack>
        <Text c="dimmed">{inWords('Écrit pour un lecteur inventé. Rien n’est enregistré ni envoyé.')}</Text>
        {preview.error ? (
          <Alert color="red" role="alert">
            {preview.error.message}
          </Alert>
        ) : null}
        {preview.data ? (
          <>
            <Text>
              <Text span c="dimmed">
                Objet&#8239;:{' '}
              </Text>
              <Text span fw={600}>
                {preview.data.subject}
              </Text>
            </Text>
            <SegmentedControl
              aria-label="Largeur"
              size="md"
              fullWidth
              classNames={{ label: styles['width'] ?? '' }}
              value={width}
              onChange={setWidth}
              data={[
                { value: 'desktop', label: 'Ordinateur' },
                { value: 'phone', label: 'Téléphone' },
              ]}
            />
            {/* Nothing in it runs, and no link of it leads away from here. */}
            <iframe
              className={styles['sheet']}
              data-width={width}
              sandbox=""
              title={`Courriel\u202f: ${preview.data.subject}`}
              srcDoc={preview.data.html}
            />
          </>
        ) : preview.error ? null : (
          <LoadingText />
        )}
        <DialogButtons onCancel={onClose} cancelLabel="Fermer">
          {mayChange && preview.data ? (
            <Button
              variant="default"
              loading={test.isPending}
              onClick={() =>
                test.mutate(
                  { body },
                  {
                    onSuccess: ({ to }) => void sayMailed(trialTo(to)),
                    onError: (error) => sayError(error),
                  },
                )
              }
            >
              M’envoyer un essai
            </Button>
          ) : null}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
