import { Alert, Text } from '@mantine/core'

import { extendLoan, type Loan } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { durationWords, unitsOf } from '../../domain/loan-rules.ts'
import { requestTaken } from '../../domain/sentences/loans.ts'
import { say } from '../page/messages.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { BoundsMotive } from './bounds-motive.tsx'
import { durationField } from './duration-field.ts'
import { isLateUntil, leastInTime, useExtendedDue } from './extended-due.ts'
import { LoanDialog } from './loan-dialog.tsx'
import { sentenceOf } from './loan-errors.ts'
import { type Extension, useExtendLoan } from './use-extend.tsx'
import { useToday } from './use-today.ts'
import { inWords } from '../page/house-words.ts'

type ExtendDialogProps = { loan: Loan; onClose: () => void }

/** Moves the expected return by some more of the loan's own units. Rendered while open. */
export default function ExtendDialog({ loan, onClose }: ExtendDialogProps) {
  const today = useToday()
  const extend = useExtendLoan()
  const form = useLocalForm<Extension, Loan>({
    about: `extension of loan ${loan.id}`,
    initial: { duration_value: loan.duration_value },
    schema: extendLoan.body,
    act: (body) => extend(loan, body),
    wording: sentenceOf,
    onDone: ({ end_date }) => {
      const about = loan.reference_name
      const due = `Retour prévu le ${frenchDay(end_date)}`
      if (isLateUntil(end_date, today)) {
        say(`${requestTaken} ${due}\u202f: le prêt reste en retard.`, 'warn', { about })
      } else say(`${requestTaken} ${due}.`, 'good', { about })
      onClose()
    },
  })
  const added = form.number('duration_value', `Prolonger de (${unitsOf(loan.duration_type)})`)
  const dueOf = useExtendedDue([loan])
  const { due = null, why = null } = dueOf(loan, Number(added.value)) ?? {}
  return (
    <LoanDialog title="Prolonger le prêt" loan={loan} form={form} onClose={onClose}>
      <CountField {...durationField} {...added} />
      <BoundsMotive form={form} errors={[form.error]} />
      <div role="status">
        <Text>
          {inWords('Retour prévu le ')}
          {frenchDay(loan.end_date)}
          {due ? `, prolongé jusqu’au ${frenchDay(due)}.` : '.'}
        </Text>
        {why === null ? null : (
          <Text size="sm" c="dimmed">
            {why}.
          </Text>
        )}
        {due && isLateUntil(due, today) ? (
          <Alert color="yellow" role="presentation" mt="sm" title="Restera en retard">
            {stillLate(loan, leastInTime(loan, today, dueOf))}
          </Alert>
        ) : null}
      </div>
    </LoanDialog>
  )
}

/** Why an extension leaves a loan late, and what would not. */
function stillLate({ duration_type }: Loan, least: number | null): string {
  const why =
    'La prolongation compte depuis l’ancienne date de retour, et cette nouvelle date est déjà passée.'
  if (least === null) return why
  return `${why} Il faut au moins ${durationWords({ duration_type, duration_value: least })} pour qu’il ne soit plus en retard.`
}
