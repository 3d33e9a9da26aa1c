import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router-dom'

import { changeReservation, getReservation, type Reservation } from '../../contract/reservations.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchMoney } from '../../domain/money.ts'
import { reservationSources } from '../../domain/reservation-rules.ts'
import { reservationChanged } from '../../domain/sentences/reservations.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { oneQuery } from '../api/queries.ts'
import { say } from '../page/messages.ts'
import { isOpenReservation, useLeaveReservationForm } from '../queue/reservation-addresses.ts'
import { ReservationStatusTag } from '../queue/reservation-tag.tsx'
import { useFlagParameter } from '../settings/parameter-data.ts'
import { ChangedSince } from '../ui/forms/changed-since.tsx'
import { Facts } from '../ui/facts.tsx'
import { FormPage } from '../ui/forms/form-page.tsx'
import { keptBeside } from '../ui/forms/kept-beside.ts'
import { useForm } from '../ui/forms/use-form.ts'
import { useRestart } from '../ui/forms/use-restart.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { frenchInstant } from '../ui/words.ts'
import { UnreadScreen } from '../ui/unread-screen.tsx'
import { differencesOf, fieldsOf, missingIn, savedWords, writtenIn } from './reservation-fields.ts'
import { ReservationForm } from './reservation-form.tsx'
import { inWords } from '../page/house-words.ts'

const title = 'Modifier la réservation'
const toReservations = { to: '/reservations', label: 'Voir les réservations' }

/** Changes what is asked for; of two people at once, the second sees what the first one changed. */
export default function ReservationEditScreen() {
  const id = Number(useParams()['reservation_id'])
  // What was read of it before may have been decided since.
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...oneQuery(getReservation, id),
    refetchOnMount: 'always',
  })
  const reservation = isFetchedAfterMount ? data : undefined
  const withoutDates = useFlagParameter('reservations_without_dates')
  const [turn, restart] = useRestart(refetch)
  if (reservation && withoutDates !== undefined) {
    return (
      <EditForm
        key={`${reservation.id} ${turn}`}
        reservation={reservation}
        withoutDates={withoutDates}
        onRestart={restart}
      />
    )
  }
  return <UnreadScreen title={title} error={error} onRetry={refetch} lead={toReservations} />
}

type EditFormProps = { reservation: Reservation; withoutDates: boolean; onRestart: () => Promise<void> }

function EditForm({ reservation, withoutDates, onRestart }: EditFormProps) {
  // A colleague may change it while the form is open.
  const [opened] = useState(reservation)
  const [version, setVersion] = useState(opened.version)
  // It keeps its own form until it is given the library's.
  const wasDated = opened.start_date !== null
  const [isDated, setDated] = useState(wasDated)
  const leave = useLeaveReservationForm()
  const fields = useForm(changeReservation, {
    initial: fieldsOf(opened),
    fixed: { version },
    params: { id: opened.id },
    onSaved: (saved) => {
      release()
      say(reservationChanged, 'good', { about: savedWords(saved) })
      leave()
    },
  })
  const form = {
    ...keptBeside(fields, { isDirty: isDated !== wasDated, kept: isDated, restore: setDated }),
    restart: () => {
      fields.restart()
      setDated(wasDated)
    },
  }
  const release = useUnsavedGuard(form.isDirty)
  const isOpen = isOpenReservation(opened)
  const written = writtenIn(form)
  const missing = isOpen ? missingIn(written, isDated) : null
  const isBehind =
    form.error instanceof CallError && (form.error.reason === 'CHANGED_SINCE' || form.error.status === 404)
  const toDates = () => {
    if (written.copy === undefined) form.write('copy_id', null)
    setDated(true)
  }
  const toQueue = () => {
    form.write('start_date', null)
    form.write('end_date', null)
    setDated(false)
  }
  return (
    <FormPage
      title={title}
      form={form}
      said={missing ?? undefined}
      isComplete={missing === null}
      onLeave={leave}
    >
      {isBehind ? (
        <ChangedSince
          noun="cette réservation"
          queryKey={['reservations', 'one', opened.id]}
          read={(signal) => call(getReservation, { params: { id: opened.id }, signal })}
          differencesOf={(now) => differencesOf(opened, now)}
          version={version}
          onTakeOver={setVersion}
          onGiveUp={() => {
            release()
            void onRestart()
          }}
          lead={toReservations}
        />
      ) : null}
      <State reservation={opened} />
      <ReservationForm
        form={form}
        isDated={isDated}
        opened={opened}
        isClosed={!isOpen}
        isKept={opened.set_aside_copy !== null}
        otherMode={
          isOpen && isDated === withoutDates ? (
            <OtherMode isDated={isDated} onChange={isDated ? toQueue : toDates} />
          ) : null
        }
      />
    </FormPage>
  )
}

/** The library reserves in the other way by now. */
function OtherMode({ isDated, onChange }: { isDated: boolean; onChange: () => void }) {
  return (
    <Group gap="sm">
      <Text c="dimmed">
        {isDated
          ? inWords(
              'Cette réservation a des dates\u202f; la bibliothèque réserve maintenant par rang dans une file.',
            )
          : inWords(
              'Cette réservation attend dans une file\u202f; la bibliothèque réserve maintenant par dates.',
            )}
      </Text>
      <Button variant="default" onClick={onChange}>
        {isDated ? 'La mettre au bout de la file' : 'Lui donner des dates'}
      </Button>
    </Group>
  )
}

/** What became of it so far, which its row's actions change. */
function State({ reservation }: { reservation: Reservation }) {
  const { queuePosition, set_aside_barcode, pickup_until, amount, reservation_date, source } = reservation
  return (
    <Facts
      title="Réservation"
      facts={[
        ['Statut', <ReservationStatusTag key="status" reservation={reservation} />],
        ['Demandée le', frenchInstant(reservation_date)],
        ['Source', reservationSources[source]],
        ['Rang', queuePosition],
        ['Mis de côté', set_aside_barcode],
        ['À retirer jusqu’au', pickup_until && frenchDay(pickup_until)],
        ['Montant estimé', amount && frenchMoney(amount)],
      ]}
    />
  )
}
