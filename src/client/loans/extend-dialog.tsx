import { Alert, Text } from '@mantine/core'

import { extendLoan, type Loan } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { durationWords, unitsOf } from '../../domain/loan-rules.ts'
import { requestTaken } from '../../domain/sentences/loans.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import { useLocalForm } from '../ui/forms/use-local-form.ts'
import { BoundsMotive } from './bounds-motive.tsx'
import { durationField } from './duration-field.ts'
import { isLateUntil, leastInTime, useExtendedDue } from './extended-due.ts'
import { LoanDialog } from './loan-dialog.tsx'
import { sentenceOf } from './loan-errors.ts'
import { type Extension, useExtendLoan, useSayExtended } from './use-extend.tsx'
import { useToday } from './use-today.ts'
import { inWords } from '../page/house-words.ts'

type ExtendDialogProps = {
  loan: Loan
  /** By how many units, where that was chosen already. */
  added?: number
  onClose: () => void
}

/** Moves the expected return by some more of the loan's own units. Rendered while open. */
export default function ExtendDialog({ loan, added: begun, onClose }: ExtendDialogProps) {
  const today = useToday()
  const extend = useExtendLoan()
  const sayExtended = useSayExtended()
  const form = useLocalForm<Extension, Loan>({
    about: `extension of loan ${loan.id}`,
    initial: { duration_value: begun ?? loan.duration_value },
    schema: extendLoan.body,
    act: (body) => extend(loan, body),
    wording: sentenceOf,
    onDone: (extended) => {
      const due = `Retour prévu le ${frenchDay(extended.end_date)}`
      if (isLateUntil(extended.end_date, today)) {
        sayExtended(extended, `${requestTaken} ${due}\u202f: le prêt reste en retard.`, 'warn')
      } else sayExtended(extended, `${requestTaken} ${due}.`, 'good')
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
