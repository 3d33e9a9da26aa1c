import { Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { explainDelay, type Loan } from '../../contract/loans.ts'
import { requestTaken } from '../../domain/sentences/loans.ts'
import { reasonsQuery } from '../catalogue/list-queries.ts'
import { say } from '../page/messages.ts'
import { asChoice } from '../ui/forms/as-choice.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { LoanDialog } from './loan-dialog.tsx'

type DelayDialogProps = { loan: Loan; onClose: () => void }

/** Notes why a loan is late: a reason of the organisation and a comment. Rendered while open. */
export default function DelayDialog({ loan, onClose }: DelayDialogProps) {
  const reasons = useQuery(reasonsQuery('delay')).data ?? []
  const { id, delay_reason: current, delay_comment } = loan
  const form = useForm(explainDelay, {
    initial: { delay_reason: current?.id ?? null, delay_comment },
    params: { id },
    onSaved: () => {
      say(requestTaken, 'good', { about: loan.reference_name })
      onClose()
    },
  })
  const choices = reasons.map(asChoice)
  // A reason since withdrawn stays readable on the loan that carries it.
  const isListed = current === null || choices.some(({ value }) => value === String(current.id))
  return (
    <LoanDialog title="Commenter le retard" loan={loan} form={form} onClose={onClose}>
      <Select
        data={isListed ? choices : [...choices, { value: String(current.id), label: current.name }]}
        clearable
        clearButtonProps={{ 'aria-label': 'Effacer le motif' }}
        {...form.choice('delay_reason', 'Motif du retard')}
      />
      <Textarea maxLength={2000} {...form.text('delay_comment', 'Commentaire')} />
    </LoanDialog>
  )
}
