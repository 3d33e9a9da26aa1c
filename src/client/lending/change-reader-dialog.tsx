import { Button, Stack } from '@mantine/core'

import { ofName } from '../../domain/person-names.ts'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { useQuestions } from '../ui/use-questions.ts'
import { counted } from '../ui/words.ts'

/** Whose loan it is, and how many copies it has. */
type Question = { name: string; count: number }
type Answer = 'save' | 'drop' | 'stay'

/** Asks what becomes of a loan that is not saved when somebody else is chosen. Render `dialog` once. */
export function useChangeReaderDialog() {
  const { asked, isOpen, ask, settle } = useQuestions<Question, Answer>()
  const dialog = asked ? (
    <ChangeReaderDialog
      key={asked.turn}
      {...asked.question}
      isOpen={isOpen}
      onSettle={(answer) => settle(asked.turn, answer)}
    />
  ) : null
  return { ask, dialog }
}

type ChangeReaderDialogProps = Question & { isOpen: boolean; onSettle: (answer: Answer) => void }

function ChangeReaderDialog({ name, count, isOpen, onSettle }: ChangeReaderDialogProps) {
  const stay = () => onSettle('stay')
  return (
    <Dialog isOpen={isOpen} onClose={stay} title="Changer de lecteur" acts="destroys" isUnasked>
      <Stack>
        <div>{`Le prêt ${ofName(name)} n’est pas enregistré\u202f: ${counted(count, 'exemplaire en sort', 'exemplaires en sortent')} si vous changez sans l’enregistrer.`}</div>
        <DialogButtons onCancel={stay}>
          <Button variant="default" c="var(--bad-ink)" onClick={() => onSettle('drop')}>
            Changer sans enregistrer
          </Button>
          <Button onClick={() => onSettle('save')}>Enregistrer puis changer</Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}
