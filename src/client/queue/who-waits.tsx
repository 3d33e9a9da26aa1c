import { Anchor, Text } from '@mantine/core'
import { IconPencil, IconShoppingBag } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useNavigate } from 'react-router-dom'

import { membersOf, totalOf } from '../../contract/list.ts'
import type { Reservation } from '../../contract/reservations.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { isNamed } from '../../domain/person-names.ts'
import { useRight } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { ActionMenu } from '../ui/lists/row-buttons.tsx'
import { ReaderName } from '../ui/reader-name.tsx'
import { UnreadState } from '../ui/states.tsx'
import { counted, frenchInstant } from '../ui/words.ts'
import { inOrderOfService, queueQuery, reservedDays } from './open-reservations.ts'
import { addressOfLoan, addressOfQueue, useReservationForms } from './reservation-addresses.ts'
import { ReservationStatusTag } from './reservation-tag.tsx'
import styles from './who-waits.module.css'

type WhoWaitsProps = {
  reference: number
  /** In a form that is being filled in nothing leads away from it. */
  isInForm?: boolean
}

const mostShown = 8

/** Who waits for a title, in the order in which they are served, with what was promised to them. */
export function WhoWaits(props: WhoWaitsProps) {
  return (
    <div className={styles['whole']}>
      <Waits {...props} />
    </div>
  )
}

function Waits({ reference, isInForm = false }: WhoWaitsProps) {
  const { data, error, refetch } = useQuery(queueQuery(reference))
  if (!data) return <UnreadState error={error} onRetry={refetch} height="4.75rem" />
  const all = inOrderOfService(membersOf(data))
  if (all.length === 0) return <Text c="dimmed">{inWords('Personne n’attend cette référence.')}</Text>
  const total = totalOf(data)
  return (
    <>
      <ol className={styles['rows']} aria-label="Qui attend">
        {all.slice(0, mostShown).map((one) => (
          <li key={one.id} className={styles['row']}>
            <Waiting reservation={one} isInForm={isInForm} />
          </li>
        ))}
      </ol>
      {isInForm ? (
        total > mostShown ? (
          <Text c="dimmed">{`et ${counted(total - mostShown, 'autre', 'autres')}`}</Text>
        ) : null
      ) : (
        <Anchor component={Link} to={addressOfQueue(reference)}>
          {total > mostShown
            ? inWords(`Voir les ${total} réservations`)
            : inWords('Voir dans les réservations')}
        </Anchor>
      )}
    </>
  )
}

function Waiting({ reservation, isInForm }: { reservation: Reservation; isInForm: boolean }) {
  const { beneficiary_id, beneficiary_name, queuePosition } = reservation
  const navigate = useNavigate()
  const { change } = useReservationForms()
  const mayRead = useRight('LIST_BENEFICIARIES')
  const mayEdit = useRight('RESERVATION_EDIT')
  const mayLend = useRight('LOANING_ADD')
  const name = <ReaderName name={beneficiary_name} />
  const offered = isInForm
    ? []
    : [
        ...(mayLend
          ? [
              {
                key: 'lend',
                label: 'Prêter',
                Icon: IconShoppingBag,
                run: () => navigate(addressOfLoan(reservation)),
              },
            ]
          : []),
        ...(mayEdit
          ? [{ key: 'edit', label: 'Modifier', Icon: IconPencil, run: () => change(reservation) }]
          : []),
      ]
  return (
    <>
      <span className={styles['place']}>{queuePosition ?? ''}</span>
      <span className={styles['who']}>
        {!isInForm && mayRead && isNamed(beneficiary_name) ? (
          <Link to={addressOfReader(beneficiary_id)}>{name}</Link>
        ) : (
          name
        )}
        {reservation.status === 'waiting' ? null : <ReservationStatusTag reservation={reservation} />}
        <Promised reservation={reservation} />
      </span>
      {offered.length > 0 ? (
        <ActionMenu
          label={`Actions\u202f: réservation de ${beneficiary_name}`}
          actions={offered}
          onRun={({ run }) => void run()}
        />
      ) : null}
    </>
  )
}

function Promised({ reservation }: { reservation: Reservation }) {
  const isMultisite = useIsMultisite()
  const { reservation_date, copy_barcode, set_aside_barcode, pickup_until, site_name } = reservation
  const facts = [
    reservedDays(reservation),
    set_aside_barcode ? `exemplaire ${set_aside_barcode} mis de côté` : '',
    pickup_until ? `à retirer jusqu’au ${frenchDay(pickup_until)}` : '',
    !set_aside_barcode && copy_barcode ? `exemplaire ${copy_barcode}` : '',
    isMultisite ? site_name : '',
    `demandée le ${frenchInstant(reservation_date)}`,
  ]
  return <span className={styles['facts']}>{facts.filter(Boolean).join(' · ')}</span>
}
