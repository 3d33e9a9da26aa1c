import { useCallbackRef } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'

import { draftReservationMail } from '../../contract/mail.ts'
import type { Reservation } from '../../contract/reservations.ts'
import { occasionOf } from '../../domain/mail-occasions.ts'
import { CallError } from '../api/call-error.ts'
import { oneQuery } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import type { Draft } from './reservation-mail-dialog.tsx'

const ReservationMailDialog = lazy(() => import('./reservation-mail-dialog.tsx'))

type Offered = { reservation: Reservation; draft: Draft }
type Offer = (reservation: Reservation, how?: { isAsked: boolean }) => Promise<void>

/**
 * Offers the mail of what a reservation has become, one after the other where several are decided on; `isAsked` is
 * when somebody asks for it. Render `dialog` once.
 */
export function useReservationMail(): { offer: Offer; dialog: ReactNode } {
  const client = useQueryClient()
  const maySend = useRight('SEND_MAIL')
  const [offered, setOffered] = useState<readonly Offered[]>([])
  const offer = useCallbackRef<Offer>(async (reservation, { isAsked } = { isAsked: false }) => {
    if (!maySend) return
    try {
      const query = oneQuery(draftReservationMail, reservation.id)
      const draft = await client.fetchQuery({ ...query, staleTime: 0 })
      if (draft.obstacle === null) setOffered((before) => [...before, { reservation, draft }])
      else if (draft.obstacle !== 'off' || isAsked) sayObstacle(reservation, draft)
    } catch (error) {
      // Passed on to a reader of a closed site, to whom nobody writes from here.
      if (!isAsked && error instanceof CallError && error.status === 404) return
      sayError(error)
    }
  })
  const [first] = offered
  return {
    offer,
    dialog: first ? (
      <Suspense fallback={null}>
        <ReservationMailDialog
          key={`${first.reservation.id} ${first.draft.template}`}
          {...first}
          onClose={() => setOffered((before) => before.slice(1))}
        />
      </Suspense>
    ) : null,
  }
}

function sayObstacle({ beneficiary_name, reference_name }: Reservation, { obstacle, template }: Draft): void {
  const name = `«\u00a0${occasionOf(template).name}\u00a0»`
  const about = { about: reference_name }
  if (obstacle === 'address') {
    const why = `${beneficiary_name} n’a pas d’adresse électronique valable`
    return void say(`Aucun courriel n’est parti\u202f: ${why}.`, 'warn', about)
  }
  if (obstacle === 'off') return void say(`Le courriel ${name} est désactivé.`, 'warn', about)
  say(`Le courriel ${name} ne peut pas être lu\u202f: son modèle est à corriger.`, 'bad', about)
}
