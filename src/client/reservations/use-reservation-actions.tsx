import { useCallbackRef } from '@mantine/hooks'
import {
  IconBan,
  IconCheck,
  IconClock,
  IconMail,
  IconShoppingBag,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { changeReservation, removeReservation, type Reservation } from '../../contract/reservations.ts'
import { mayBecome, type ReservationStatus } from '../../domain/reservation-rules.ts'
import type { Right } from '../../domain/rights.ts'
import { reservationStatusFailed } from '../../domain/sentences/reservations.ts'
import { useChange } from '../api/queries.ts'
import { useRights } from '../api/session.ts'
import { say, sayError } from '../page/messages.ts'
import { addressOfLoan, isOpenReservation } from '../queue/reservation-addresses.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { reservationName } from './reservation-words.ts'
import { useReservationMail } from './use-reservation-mail.tsx'

const RefuseDialog = lazy(() => import('./refuse-dialog.tsx'))

const said: Record<ReservationStatus, string> = {
  confirmed: 'Réservation confirmée.',
  waiting: 'Réservation remise en attente.',
  canceled: 'Réservation annulée.',
  refused: 'Réservation refusée.',
}

/** The places of the others have moved, and their rows are still those of the search. */
const relaunch = 'Relancez la recherche pour actualiser les rangs.'

/** Promised without a copy: no mail is to say that one waits for its reader. */
const isPromiseAlone = ({ status, start_date, set_aside_copy }: Reservation): boolean =>
  status === 'confirmed' && start_date === null && set_aside_copy === null

const tell = (after: Reservation) => {
  const { status, start_date, reference_name } = after
  if (isPromiseAlone(after)) {
    say(`${said.confirmed} Aucun exemplaire n’est libre\u202f: rien n’est mis de côté. ${relaunch}`, 'warn', {
      about: reference_name,
    })
    return
  }
  say(
    start_date === null && (status === 'confirmed' || status === 'refused')
      ? `${said[status]} ${relaunch}`
      : said[status],
    'good',
    { about: reference_name },
  )
}

const canBe =
  (to: ReservationStatus) =>
  ({ status, fulfilled_by }: Reservation): boolean =>
    fulfilled_by === null && mayBecome(status, to)

/** The person's actions on reservations. Render `dialog` once. */
export function useReservationActions(): {
  actions: readonly RowAction<Reservation>[]
  offerMail: ReturnType<typeof useReservationMail>['offer']
  dialog: ReactNode
} {
  const navigate = useNavigate()
  const confirm = useConfirm()
  const rights = useRights()
  const change = useChange(changeReservation)
  const removing = useChange(removeReservation)
  const [refused, setRefused] = useState<Reservation | null>(null)

  const { offer, dialog: mail } = useReservationMail()

  const decided = (after: Reservation) => {
    tell(after)
    if (!isPromiseAlone(after)) void offer(after)
  }
  const decide = useCallbackRef(async ({ id }: Reservation, status: ReservationStatus) => {
    try {
      decided(await change.mutateAsync({ params: { id }, body: { status } }))
    } catch {
      sayError(null, reservationStatusFailed)
    }
  })
  const askCancel = useCallbackRef(async (reservation: Reservation) => {
    const isSure = await confirm({
      title: 'Annuler la réservation',
      message: `${reservationName(reservation)}\u202f: la place dans la file est perdue.`,
      acts: 'destroys',
    })
    if (isSure) await decide(reservation, 'canceled')
  })
  const askRemove = useCallbackRef(async (reservation: Reservation) => {
    const isSure = await confirm({
      title: 'Supprimer la réservation',
      message: `${reservationName(reservation)}\u202f: elle a été faite par erreur et quitte les listes. Personne n’en est averti.`,
      acts: 'destroys',
    })
    if (!isSure) return
    await removing.mutateAsync({ params: { id: reservation.id } })
    say('Réservation supprimée.', 'good', { about: reservation.reference_name })
  })
  const actions = useMemo(
    () =>
      (
        [
          {
            key: 'confirm',
            label: 'Confirmer',
            Icon: IconCheck,
            right: 'RESERVATION_EDIT',
            may: canBe('confirmed'),
            run: (one) => decide(one, 'confirmed'),
            isMain: true,
          },
          {
            key: 'lend',
            label: 'Prêter',
            Icon: IconShoppingBag,
            right: 'LOANING_ADD',
            may: isOpenReservation,
            run: (one) => navigate(addressOfLoan(one)),
          },
          {
            key: 'wait',
            label: 'Remettre en attente',
            Icon: IconClock,
            right: 'RESERVATION_EDIT',
            may: canBe('waiting'),
            run: (one) => decide(one, 'waiting'),
          },
          {
            key: 'refuse',
            label: 'Refuser',
            Icon: IconBan,
            right: 'RESERVATION_EDIT',
            may: canBe('refused'),
            run: setRefused,
          },
          {
            key: 'cancel',
            label: 'Annuler',
            Icon: IconX,
            right: 'RESERVATION_EDIT',
            may: canBe('canceled'),
            run: askCancel,
          },
          {
            key: 'mail',
            label: 'Écrire au lecteur',
            Icon: IconMail,
            right: 'SEND_MAIL',
            may: ({ fulfilled_by }) => fulfilled_by === null,
            run: (one) => offer(one, { isAsked: true }),
          },
          {
            key: 'remove',
            label: 'Supprimer',
            Icon: IconTrash,
            right: 'RESERVATION_EDIT',
            tone: 'bad',
            run: askRemove,
          },
        ] satisfies (RowAction<Reservation> & { right: Right })[]
      ).filter(({ right }) => rights.includes(right)),
    [rights, navigate, decide, askCancel, askRemove, offer],
  )
  return {
    actions,
    offerMail: offer,
    dialog: (
      <>
        {refused ? (
          <Suspense fallback={null}>
            <RefuseDialog reservation={refused} onRefused={decided} onClose={() => setRefused(null)} />
          </Suspense>
        ) : null}
        {mail}
      </>
    ),
  }
}
