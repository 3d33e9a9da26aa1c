import { SimpleGrid, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router-dom'

import { type Loan, updateLoan } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { unitsOf } from '../../domain/loan-rules.ts'
import { loanUpdated } from '../../domain/sentences/loans.ts'
import { say } from '../page/messages.ts'
import { CountField } from '../ui/forms/count-field.tsx'
import { Cover } from '../ui/cover.tsx'
import { UnreadScreen } from '../ui/unread-screen.tsx'
import { DateField } from '../ui/forms/date-field.tsx'
import { FormPage, FormSection } from '../ui/forms/form-page.tsx'
import { useLeaveForm } from '../ui/lists/open-detail.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { useDespiteReservations } from './ask-despite-reservations.tsx'
import { BoundsMotive } from './bounds-motive.tsx'
import { durationField } from './duration-field.ts'
import { loanQuery, toLoans } from './loan-data.ts'

/** Changes only a loan's start date, comment and duration value. */
export default function LoanEditScreen() {
  const id = Number(useParams()['loaning_id'])
  const { data: loan, error, refetch } = useQuery(loanQuery(id))
  if (loan) return <LoanForm key={loan.id} loan={loan} />
  return <UnreadScreen title="Modifier le prêt" error={error} onRetry={refetch} lead={toLoans} />
}

function LoanForm({ loan }: { loan: Loan }) {
  const leave = useLeaveForm(`/loanings/view/${loan.id}`)
  const despite = useDespiteReservations()
  const form = useForm(updateLoan, {
    initial: { start_date: loan.start_date, duration_value: loan.duration_value, comment: loan.comment },
    params: { id: loan.id },
    despite: (refusal) => despite(refusal, loan.reference_name),
    onSaved: () => {
      release()
      say(loanUpdated, 'good', { about: loan.reference_name })
      leave()
    },
  })
  const release = useUnsavedGuard(form.isDirty)
  return (
    <FormPage title="Modifier le prêt" form={form} onLeave={leave}>
      <FormSection
        title={loan.reference_name}
        about={`${loan.beneficiary_name} · retour prévu le ${frenchDay(loan.end_date)}`}
        picture={<Cover title={loan.reference_name} medium={loan.medium} image={loan.image_path} />}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <DateField required {...form.day('start_date', 'Date de début')} />
          <CountField
            {...durationField}
            {...form.number('duration_value', `Durée, en ${unitsOf(loan.duration_type)}`)}
          />
        </SimpleGrid>
        <BoundsMotive form={form} errors={[form.error]} />
        <Textarea maxLength={2000} {...form.text('comment', 'Commentaire')} />
      </FormSection>
    </FormPage>
  )
}
