import { useQuery } from '@tanstack/react-query'
import { IconPencil, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'

import { exportReservations, type Reservation, reservations } from '../../contract/reservations.ts'
import type { viewedLists } from '../../contract/views.ts'
import { reservationSources, reservationStatuses } from '../../domain/reservation-rules.ts'
import { useRight } from '../api/session.ts'
import { addressOfReference, referenceQuery } from '../catalogue/reference-data.ts'
import { isOpenReservation, openedHere, useReservationForms } from '../queue/reservation-addresses.ts'
import { ReservationStatusTag } from '../queue/reservation-tag.tsx'
import { readerFilter, titleFilter } from '../loans/loan-filters.ts'
import { Cover } from '../ui/cover.tsx'
import { acts, useMayBegin } from '../ui/acts.ts'
import { choicesOf } from '../ui/forms/as-choice.ts'
import { DetailLink } from '../ui/lists/detail-link.tsx'
import { among, choice, days } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { PageAction } from '../ui/page-actions.tsx'
import { ReaderName } from '../ui/reader-name.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { dayOfInstant } from '../ui/day-of-instant.ts'
import { frenchInstant } from '../ui/words.ts'
import { toServe, useReservationViews } from './reservation-tabs.tsx'
import { dayOrNothing, reservationName } from './reservation-words.ts'
import { useReservationActions } from './use-reservation-actions.tsx'

/** Who waits for what; those to be served unless asked otherwise. */
export default function ReservationListScreen() {
  const { actions: decisions, dialog } = useReservationActions()
  const { change } = useReservationForms()
  const actions = useMemo(() => withEdit(decisions, change), [decisions, change])
  const add = useMayBegin(acts.reserve) ? begin : []
  const views = useReservationViews()
  const ofTitle = useTitleOfAddress()
  const shown = useMemo(() => (ofTitle ? [...filters, ofTitle] : filters), [ofTitle])
  return (
    <ListScreen
      endpoint={reservations.list}
      title="Réservations"
      noun={nounOf('réservation', 'f')}
      cycle="desc-first"
      exported={exportReservations}
      pageActions={add}
      whenEmpty={add}
      views={views}
      defaults={toServe}
      filters={shown}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={reservationName}
      rowActions={actions}
      rowTone={({ status }) => (status === 'refused' ? 'bad' : undefined)}
    >
      {dialog}
    </ListScreen>
  )
}

/** After what is done all day, where a change of what is asked for stands for whoever may decide. */
const withEdit = (
  decisions: readonly RowAction<Reservation>[],
  change: (one: Reservation) => unknown,
): readonly RowAction<Reservation>[] =>
  decisions.flatMap((action) =>
    action.key === 'wait'
      ? [{ key: 'edit', label: 'Modifier', Icon: IconPencil, may: isOpenReservation, run: change }, action]
      : [action],
  )

const ofTitleName = 'reference_id|eq'

/** Only a link sets it, and its chip names the title. */
function useTitleOfAddress() {
  const [search] = useSearchParams()
  const written = search.get(ofTitleName)
  const id = written !== null && /^[1-9]\d*$/.test(written) ? written : null
  const mayRead = useRight('LIST_REFERENCES')
  const name = useQuery({ ...referenceQuery(Number(id)), enabled: id !== null && mayRead }).data?.name
  return useMemo(
    () =>
      id === null
        ? null
        : choice(ofTitleName, 'Titre', [
            { value: '', label: 'Tous' },
            { value: id, label: name ?? `Référence ${id}` },
          ]),
    [id, name],
  )
}

const filters = [
  readerFilter,
  titleFilter,
  among('status|in', 'Statut', choicesOf(reservationStatuses)),
  among('source|in', 'Source', choicesOf(reservationSources)),
  choice('served|eq', 'Servies', [
    { value: '', label: 'Pas encore servies' },
    { value: '1', label: 'Servies par un prêt' },
  ]),
  days('start_date', 'Début'),
  days('end_date', 'Fin'),
]

/** What heads a row stays in sight; the others are those that views know. */
type ReservationColumn = Column<Reservation> &
  ({ key: 'reference'; role: 'main' } | { key: (typeof viewedLists.reservations.columns)[number] })

/** Their keys are those of the file that is exported. */
const begin: readonly PageAction[] = [
  {
    ...acts.reserve,
    label: 'Ajouter une réservation',
    short: 'Ajouter',
    Icon: IconPlus,
    state: openedHere,
    isMain: true,
  },
]

const columns: readonly ReservationColumn[] = [
  {
    key: 'reference',
    title: 'Référence',
    order: 'reference_name',
    role: 'main',
    face: ({ reference_name, medium, image_path }) => (
      <Cover title={reference_name} medium={medium} image={image_path} />
    ),
    cell: ({ reference_id, reference_name }) => (
      <DetailLink to={addressOfReference(reference_id)}>{reference_name}</DetailLink>
    ),
  },
  {
    key: 'beneficiary',
    title: 'Lecteur',
    phone: 'who',
    order: 'beneficiary_lastname',
    width: 12.5,
    cell: ({ beneficiary_name }) => <ReaderName name={beneficiary_name} />,
  },
  {
    key: 'reservation_date',
    title: 'Demandée le',
    phone: 'when',
    order: 'reservation_date',
    role: 'day',
    width: 9,
    cell: ({ reservation_date }) => frenchInstant(reservation_date),
    onPhone: ({ reservation_date }) => dayOfInstant(reservation_date),
  },
  {
    key: 'status',
    title: 'Statut',
    phone: 'state',
    order: 'status',
    role: 'lasting',
    width: 8.5,
    cell: (reservation) => <ReservationStatusTag reservation={reservation} />,
  },
  {
    key: 'position',
    title: 'Rang',
    order: 'queuePosition',
    role: 'lasting',
    align: 'end',
    sparse: true,
    width: 5,
    cell: ({ queuePosition }) => queuePosition ?? '',
  },
  {
    key: 'start',
    title: 'Début',
    order: 'start_date',
    role: 'extra',
    sparse: true,
    width: 6.75,
    cell: ({ start_date }) => dayOrNothing(start_date),
  },
  {
    key: 'end',
    title: 'Fin',
    order: 'end_date',
    role: 'extra',
    sparse: true,
    width: 6.75,
    cell: ({ end_date }) => dayOrNothing(end_date),
  },
  {
    key: 'source',
    title: 'Source',
    order: 'source',
    role: 'extra',
    width: 8,
    cell: ({ source }) => reservationSources[source],
  },
  {
    key: 'site',
    title: 'Site',
    role: 'extra',
    sparse: true,
    width: 8,
    cell: ({ site_name }) => site_name ?? '',
  },
  {
    key: 'comment',
    title: 'Commentaire',
    role: 'extra',
    sparse: true,
    width: 10,
    cell: ({ comment }) => comment,
  },
]
