import { Button, Stack } from '@mantine/core'

import type { Question } from './confirm-question.ts'
import { Dialog, DialogButtons } from './dialog.tsx'

type ConfirmDialogProps = { question: Question; isOpen: boolean; onSettle: (yes: boolean) => void }

export default function ConfirmDialog({ question, isOpen, onSettle }: ConfirmDialogProps) {
  const { title, isNamed = false, message, acts } = question
  const no = () => onSettle(false)
  return (
    <Dialog isOpen={isOpen} onClose={no} title={title} isNamed={isNamed} acts={acts} isUnasked>
      <Stack>
        <div>{message}</div>
        <DialogButtons onCancel={no}>
          <Button
            color={acts === 'destroys' ? 'red' : 'lamp'}
            onClick={() => onSettle(true)}
            data-autofocus={acts === undefined || undefined}
          >
            Valider
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
