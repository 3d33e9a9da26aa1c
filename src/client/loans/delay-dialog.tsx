import { Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { Loan } from '../../contract/loans.ts'
import { reasonsQuery } from '../catalogue/catalogue-data.ts'
import { say } from '../ui/messages.ts'
import { useExplainDelay } from './loan-data.ts'
import { LoanDialog } from './loan-dialog.tsx'
import { fieldError, formError } from './loan-errors.ts'

type DelayDialogProps = { loan: Loan; onClose: () => void }

/** Notes why a loan is late: a reason of the organisation and a comment. Rendered while open. */
export function DelayDialog({ loan, onClose }: DelayDialogProps) {
  const { mutate, isPending, error } = useExplainDelay()
  const reasons = useQuery(reasonsQuery('delay')).data ?? []
  const [reason, setReason] = useState<string | null>(loan.delay_reason ? String(loan.delay_reason.id) : null)
  const [comment, setComment] = useState(loan.delay_comment)
  const choices = reasons.map(({ id, name }) => ({ value: String(id), label: name }))
  const current = loan.delay_reason
  // A reason since withdrawn stays readable on the loan that carries it.
  const isListed = current === null || choices.some(({ value }) => value === String(current.id))
  const submit = () =>
    mutate(
      {
        id: loan.id,
        body: { delay_reason: reason === null ? null : Number(reason), delay_comment: comment },
      },
      {
        onSuccess: () => {
          say('Votre demande a bien été prise en compte.')
          onClose()
        },
      },
    )
  return (
    <LoanDialog
      title="Commenter le retard"
      loan={loan}
      onClose={onClose}
      onSubmit={submit}
      isPending={isPending}
      error={formError(error, 'delay_reason', 'delay_comment')}
    >
      <Select
        label="Motif du retard"
        data={isListed ? choices : [...choices, { value: String(current.id), label: current.name }]}
        value={reason}
        onChange={setReason}
        clearable
        clearButtonProps={{ 'aria-label': 'Effacer le motif' }}
        data-autofocus
        error={fieldError(error, 'delay_reason')}
      />
      <Textarea
        label="Commentaire"
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
        maxLength={2000}
        error={fieldError(error, 'delay_comment')}
      />
    </LoanDialog>
  )
}
