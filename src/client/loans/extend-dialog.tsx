import '@mantine/core/styles/NumberInput.css'

import { NumberInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { Loan } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { durationTypes, extendedDueOn } from '../../domain/loan-rules.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { say } from '../ui/messages.ts'
import { useExtendLoan } from './loan-data.ts'
import { LoanDialog } from './loan-dialog.tsx'
import { fieldError, formError } from './loan-errors.ts'

type ExtendDialogProps = { loan: Loan; onClose: () => void }

/** Moves the expected return by some more of the loan's own units. Rendered while open. */
export function ExtendDialog({ loan, onClose }: ExtendDialogProps) {
  const { mutate, isPending, error } = useExtendLoan()
  const [added, setAdded] = useState<number | string>(loan.duration_value)
  const due = useExtendedDue(loan, added)
  const submit = () =>
    mutate(
      { id: loan.id, body: { duration_value: Number(added) } },
      {
        onSuccess: () => {
          say('Votre demande a bien été prise en compte.')
          onClose()
        },
      },
    )
  return (
    <LoanDialog
      title="Prolonger le prêt"
      loan={loan}
      onClose={onClose}
      onSubmit={submit}
      isPending={isPending}
      error={formError(error, 'duration_value')}
    >
      <NumberInput
        label={`Prolonger de (${durationTypes[loan.duration_type].toLowerCase()})`}
        value={added}
        onChange={setAdded}
        min={1}
        max={1000}
        allowDecimal={false}
        allowNegative={false}
        required
        data-autofocus
        error={fieldError(error, 'duration_value')}
      />
      <Text role="status">
        Retour prévu le {frenchDay(loan.end_date)}
        {due ? `, prolongé jusqu’au ${frenchDay(due)}.` : '.'}
      </Text>
    </LoanDialog>
  )
}

/** The date the server will answer; null for cycles, which are the copy's own, and while the media are unknown. */
function useExtendedDue(loan: Loan, added: number | string): string | null {
  const media = useQuery(mediaQuery).data
  const count = Number(added)
  if (loan.duration_type === 'CYCLE' || !media || !Number.isInteger(count) || count < 1) return null
  const end_day = media.find(({ name }) => name === loan.medium)?.end_day ?? null
  return extendedDueOn(loan, count, { cycle_type: null, cycle_value: null }, end_day)
}
