import { Button, Stack } from '@mantine/core'

import { inWords } from '../page/house-words.ts'
import type { Question } from './confirm-question.ts'
import { Dialog, DialogButtons } from './dialog.tsx'

type ConfirmDialogProps = { question: Question; isOpen: boolean; onSettle: (yes: boolean) => void }

export default function ConfirmDialog({ question, isOpen, onSettle }: ConfirmDialogProps) {
  const { title, isNamed = false, message, acts } = question
  const no = () => onSettle(false)
  // To a question whether to cancel, « Annuler » could be either answer.
  const cancels = title.startsWith('Annuler ') ? title.replace(/\s?\?$/, '') : null
  return (
    <Dialog isOpen={isOpen} onClose={no} title={title} isNamed={isNamed} acts={acts} isUnasked>
      <Stack>
        <div>{message}</div>
        <DialogButtons onCancel={no} {...(cancels ? { cancelLabel: 'Garder' } : {})}>
          <Button
            color={acts === 'destroys' ? 'red' : 'lamp'}
            onClick={() => onSettle(true)}
            data-autofocus={acts === undefined || undefined}
          >
            {cancels === null ? 'Valider' : isNamed ? cancels : inWords(cancels)}
          </Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
