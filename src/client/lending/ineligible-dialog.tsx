import '@mantine/core/styles/List.css'

import { List, Stack, Text } from '@mantine/core'

import { readerNotEligible } from '../../domain/sentences/counter.ts'
import { useRight } from '../api/session.ts'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { MotiveDialog } from '../ui/motive-dialog.tsx'
import { useQuestions } from '../ui/use-questions.ts'

/** `heading` is what is refused, where it is not the reader; `motive` is what was written for the copy before. */
type Question = { heading?: string; title: string; reasons: readonly string[]; motive?: string | undefined }

/** Tells a refusal and asks the motive for lending all the same, or null. Render `dialog` once. */
export function useIneligibleDialog() {
  const { asked, isOpen, ask, settle } = useQuestions<Question, string | null>()
  const dialog = asked ? (
    <IneligibleDialog
      key={asked.turn}
      {...asked.question}
      isOpen={isOpen}
      onSettle={(motive) => settle(asked.turn, motive)}
    />
  ) : null
  return { ask, dialog }
}

type IneligibleDialogProps = Question & { isOpen: boolean; onSettle: (motive: string | null) => void }

function IneligibleDialog(question: IneligibleDialogProps) {
  const mayOverride = useRight('LOANING_OVERRIDE')
  return mayOverride ? <AskMotive {...question} /> : <SayWhy {...question} />
}

function SayWhy({ heading = readerNotEligible, isOpen, onSettle, ...said }: IneligibleDialogProps) {
  const giveUp = () => onSettle(null)
  return (
    <Dialog isOpen={isOpen} onClose={giveUp} title={heading} acts="sends">
      <Stack>
        <Reasons {...said} />
        <DialogButtons onCancel={giveUp} cancelLabel="Fermer" />
      </Stack>
    </Dialog>
  )
}

const AskMotive = ({
  heading = readerNotEligible,
  motive,
  isOpen,
  onSettle,
  ...said
}: IneligibleDialogProps) => (
  <MotiveDialog
    act="Prêter quand même"
    title={heading}
    of={said.title}
    label="Motif pour prêter quand même"
    motive={motive}
    missing="Écrivez pourquoi."
    cancelLabel="Ne pas prêter"
    acts="sends"
    isOpen={isOpen}
    onConfirm={onSettle}
    onClose={() => onSettle(null)}
  >
    <Reasons {...said} />
  </MotiveDialog>
)

const Reasons = ({ title, reasons }: Pick<Question, 'title' | 'reasons'>) => (
  <>
    <Text fw={600}>{title}</Text>
    <List spacing="xs">
      {reasons.map((reason) => (
        <List.Item key={reason}>{reason}</List.Item>
      ))}
    </List>
  </>
)
