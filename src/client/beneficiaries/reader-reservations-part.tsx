import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useContext, useMemo } from 'react'
import { Link } from 'react-router-dom'

import type { Beneficiary } from '../../contract/beneficiaries.ts'
import { totalOf, membersOf } from '../../contract/list.ts'
import { type Reservation, reservations } from '../../contract/reservations.ts'
import { fullName } from '../../domain/person-names.ts'
import { useRight } from '../api/session.ts'
import { inWords } from '../page/house-words.ts'
import { openReservationsQuery, reservedDays } from '../queue/open-reservations.ts'
import { addressOfReaderReservations } from '../queue/reservation-addresses.ts'
import { ReservationStatusTag } from '../queue/reservation-tag.tsx'
import { Cover } from '../ui/cover.tsx'
import { Beside } from '../ui/lists/beside.ts'
import { partOfDetail } from '../ui/lists/open-detail.ts'
import { Pager } from '../ui/lists/pager.tsx'
import { type Column, ResourceTable } from '../ui/lists/resource-table.tsx'
import { useListAddress } from '../ui/lists/use-list-address.ts'
import { frenchInstant } from '../ui/words.ts'
import { useReaderReservationActions } from './reader-row-actions.ts'
import styles from './reader-view.module.css'

/** What a reader waits for, at every site, the latest first. */
export default function ReaderReservationsPart({ reader }: { reader: Beneficiary }) {
  const isBeside = useContext(Beside) !== null
  const address = useListAddress(reservations.list.list, { cycle: 'desc-first', prefix: `${partOfDetail}.` })
  const { page, limit, order } = address.list
  const { data, error, refetch, isPlaceholderData } = useQuery(
    openReservationsQuery('beneficiary_id', reader.id, { page, limit, order }),
  )
  const mayOpenTitle = useRight('LIST_REFERENCES')
  const columns = useMemo(() => {
    const title = titleOf(mayOpenTitle)
    return isBeside ? [title, narrowPlace] : [title, ...others]
  }, [isBeside, mayOpenTitle])
  const total = totalOf(data)
  return (
    <div className={styles['bare']}>
      <ResourceTable
        label={inWords('Réservations du lecteur')}
        columns={columns}
        rows={membersOf(data)}
        rowKey={({ id }) => id}
        nameOf={({ reference_name }) => reference_name}
        actions={useReaderReservationActions()}
        address={address}
        error={error}
        onRetry={refetch}
        isStale={isPlaceholderData}
        total={total}
        empty="Aucune réservation en cours."
        skeletonRows={3}
      />
      {total ? (
        <Pager
          of={inWords('Réservations du lecteur')}
          address={address}
          total={total}
          one="réservation"
          many="réservations"
        />
      ) : null}
      <Anchor component={Link} to={addressOfReaderReservations(reader.matricule, fullName(reader))}>
        {inWords('Toutes ses réservations')}
      </Anchor>
    </div>
  )
}

const titleOf = (mayOpenTitle: boolean): Column<Reservation> => ({
  key: 'reference',
  title: 'Référence',
  order: 'reference_name',
  role: 'main',
  face: ({ reference_name, medium, image_path }) => (
    <Cover title={reference_name} medium={medium} image={image_path} />
  ),
  cell: ({ reference_id, reference_name }) =>
    mayOpenTitle ? <Link to={`/references/view/${reference_id}`}>{reference_name}</Link> : reference_name,
})

/** Beside the list there is room for the one thing that matters. */
const narrowPlace: Column<Reservation> = {
  key: 'place',
  title: 'Où elle en est',
  role: 'lasting',
  width: 9.5,
  cell: (one) =>
    one.status === 'confirmed' ? (
      <ReservationStatusTag reservation={one} />
    ) : one.queuePosition === null ? (
      reservedDays(one)
    ) : (
      `Rang ${one.queuePosition}`
    ),
}

const others: readonly Column<Reservation>[] = [
  {
    key: 'status',
    title: 'Statut',
    order: 'status',
    role: 'lasting',
    width: 8.5,
    cell: (one) => <ReservationStatusTag reservation={one} />,
  },
  {
    key: 'place',
    title: 'Rang ou dates',
    width: 12,
    cell: (one) => (one.queuePosition === null ? reservedDays(one) : one.queuePosition),
  },
  {
    key: 'reservation_date',
    title: 'Demandée le',
    order: 'reservation_date',
    role: 'extra',
    width: 9,
    cell: ({ reservation_date }) => frenchInstant(reservation_date),
  },
]
