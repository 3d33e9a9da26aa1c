import '@mantine/core/styles/NumberInput.css'

import { NumberInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { extendLoan, type Loan } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { extendedDueOn, isDurationValue, unitsOf } from '../../domain/loan-rules.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { say } from '../page/messages.ts'
import { useForm } from '../ui/use-form.ts'
import { BoundsMotive } from './bounds-motive.tsx'
import { durationField } from './duration-field.ts'
import { LoanDialog } from './loan-dialog.tsx'
import { sentenceOf } from './loan-errors.ts'

type ExtendDialogProps = { loan: Loan; onClose: () => void }

/** Moves the expected return by some more of the loan's own units. Rendered while open. */
export default function ExtendDialog({ loan, onClose }: ExtendDialogProps) {
  const form = useForm(extendLoan, {
    initial: { duration_value: loan.duration_value },
    params: { id: loan.id },
    wording: sentenceOf,
    onSaved: () => {
      say('Votre demande a bien été prise en compte.')
      onClose()
    },
  })
  const added = form.number('duration_value', `Prolonger de (${unitsOf(loan.duration_type)})`)
  const due = useExtendedDue(loan, added.value)
  return (
    <LoanDialog title="Prolonger le prêt" loan={loan} form={form} onClose={onClose}>
      <NumberInput {...durationField} {...added} />
      <BoundsMotive form={form} errors={[form.error]} />
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
  if (loan.duration_type === 'CYCLE' || !media || !isDurationValue(count)) return null
  const end_day = media.find(({ name }) => name === loan.medium)?.end_day ?? null
  return extendedDueOn(loan, count, { cycle_type: null, cycle_value: null }, end_day)
}
