import '@mantine/core/styles/NumberInput.css'

import { Alert, Button, Group, NumberInput, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'

import type { Loan } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { durationTypes } from '../../domain/loan-rules.ts'
import { DateField } from '../ui/date-field.tsx'
import { say } from '../ui/messages.ts'
import { Page } from '../ui/page.tsx'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useFocusFirstError } from '../ui/use-focus-first-error.ts'
import { useUnsavedGuard } from '../ui/use-unsaved-guard.ts'
import { loanQuery, useUpdateLoan } from './loan-data.ts'
import { fieldError, formError } from './loan-errors.ts'

/** Changes a loan's start date, comment and duration value; nothing else of it changes (file 1, « Loan view/edit »). */
export default function LoanEditScreen() {
  const id = Number(useParams()['loaning_id'])
  const { data: loan, error, refetch } = useQuery(loanQuery(id))
  if (loan) return <LoanForm key={loan.id} loan={loan} />
  if (!error) return <ScreenSkeleton />
  return (
    <Page title="Modifier le prêt">
      <ErrorState error={error} onRetry={() => void refetch()} />
    </Page>
  )
}

function LoanForm({ loan }: { loan: Loan }) {
  // As the form was opened on it: a colleague may change it meanwhile.
  const [before] = useState(loan)
  const navigate = useNavigate()
  const { mutate, isPending, error } = useUpdateLoan()
  const [start_date, setStart] = useState(loan.start_date)
  const [duration_value, setDuration] = useState<number | string>(loan.duration_value)
  const [comment, setComment] = useState(loan.comment)
  const form = useRef<HTMLFormElement>(null)
  // Only what the person changed is sent: the rest may have been changed by others.
  const changes = {
    ...(start_date === before.start_date ? {} : { start_date }),
    ...(Number(duration_value) === before.duration_value ? {} : { duration_value: Number(duration_value) }),
    ...(comment === before.comment ? {} : { comment }),
  }
  const release = useUnsavedGuard(Object.keys(changes).length > 0)
  useFocusFirstError(form, error)

  // In the form's place: going back does not open it again.
  const leave = () => void navigate(`/loanings/view/${loan.id}`, { replace: true })
  const save = () =>
    mutate(
      { id: loan.id, body: changes },
      {
        onSuccess: () => {
          release()
          say('Le prêt a bien été mis à jour.')
          leave()
        },
      },
    )
  const refusal = formError(error, 'start_date', 'duration_value', 'comment')
  return (
    <Page title="Modifier le prêt">
      <form
        ref={form}
        className="panel"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending) save()
        }}
      >
        <Stack>
          <div>
            <Text fw={600}>{loan.reference_name}</Text>
            <Text c="dimmed">
              {loan.beneficiary_info} · retour prévu le {frenchDay(loan.end_date)}
            </Text>
          </div>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <DateField
              label="Date de début"
              value={start_date}
              onChange={setStart}
              required
              error={fieldError(error, 'start_date')}
            />
            <NumberInput
              label={`Durée (${durationTypes[loan.duration_type].toLowerCase()})`}
              value={duration_value}
              onChange={setDuration}
              min={1}
              max={1000}
              allowDecimal={false}
              allowNegative={false}
              required
              error={fieldError(error, 'duration_value')}
            />
          </SimpleGrid>
          <Textarea
            label="Commentaire"
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
            maxLength={2000}
            error={fieldError(error, 'comment')}
          />
          {refusal ? (
            <Alert color="red" role="alert">
              {refusal}
            </Alert>
          ) : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Annuler
            </Button>
            <Button type="submit" loading={isPending}>
              Enregistrer
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  )
}
