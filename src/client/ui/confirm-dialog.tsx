import { Button, Group, Modal, Stack } from '@mantine/core'

import type { Question } from './confirm.tsx'

type ConfirmDialogProps = { question: Question; isOpen: boolean; onSettle: (yes: boolean) => void }

/** Valider and Annuler; loaded with the first question. */
export default function ConfirmDialog({ question, isOpen, onSettle }: ConfirmDialogProps) {
  return (
    <Modal opened={isOpen} onClose={() => onSettle(false)} title={question.title}>
      <Stack>
        <div>{question.message}</div>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onSettle(false)}>
            {question.cancelLabel ?? 'Annuler'}
          </Button>
          <Button color={question.danger ? 'red' : 'lamp'} onClick={() => onSettle(true)} data-autofocus>
            {question.confirmLabel ?? 'Valider'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
