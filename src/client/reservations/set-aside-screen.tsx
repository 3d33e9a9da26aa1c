import { IconPlayerTrackNext, IconPrinter, IconTruck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Navigate, useSearchParams } from 'react-router-dom'

import { exportReservations, type Reservation, reservations } from '../../contract/reservations.ts'
import { frenchDay, plusDays } from '../../domain/calendar-day.ts'
import { useRight } from '../api/session.ts'
import { useCopiesAtOnce } from '../catalogue/use-copies-at-once.ts'
import { addressOfReference } from '../catalogue/reference-data.ts'
import { readerFilter, titleFilter } from '../loans/loan-filters.ts'
import { useToday } from '../loans/use-today.ts'
import { DetailLink } from '../ui/detail-link.tsx'
import { choice, days } from '../ui/filters.tsx'
import { ListScreen } from '../ui/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import { ReaderName } from '../ui/reader-name.tsx'
import type { Column } from '../ui/resource-table.tsx'
import type { RowAction } from '../ui/row-actions.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { frenchInstant } from '../ui/words.ts'
import { printSlips, slipOf } from './print-slip.tsx'
import { ReservationTabs } from './reservation-tabs.tsx'
import { reservationName } from './reservation-words.ts'
import { useReservationActions } from './use-reservation-actions.tsx'
import { usePassOn } from './use-pass-on.ts'
import { inWords } from '../page/house-words.ts'

/** Copies that wait for their readers, those that nobody fetched in time first. */
export default function SetAsideScreen() {
  const [search] = useSearchParams()
  if (search.has('sort')) return <SetAsideList />
  const sorted = new URLSearchParams(search)
  sorted.set('sort', 'pickup_until:asc')
  return <Navigate replace to={{ search: `?${sorted}` }} />
}

function SetAsideList() {
  const today = useToday()
  const { actions: decisions, offerMail, dialog } = useReservationActions()
  const { passOn, underWay } = usePassOn(offerMail)
  const { sendEach, underWay: sending } = useCopiesAtOnce()
  const mayChange = useRight('RESERVATION_EDIT')
  const mayTransfer = useRight('COPY_TRANSFER')
  const actions = useMemo(
    () => [
      ...decisions
        .filter(({ key }) => key === 'lend')
        .map((lend): RowAction<Reservation> => ({ ...lend, isMain: true, may: isOnShelf })),
      ...(mayTransfer
        ? [
            {
              key: 'transfer',
              label: 'Transférer au site de retrait',
              Icon: IconTruck,
              isMain: true,
              may: isElsewhere,
              run: (one: Reservation) => sendEach(toItsSite([one])),
              runAll: (several: readonly Reservation[]) => sendEach(toItsSite(several)),
            } satisfies RowAction<Reservation>,
          ]
        : []),
      ...(mayChange
        ? [
            {
              key: 'pass',
              label: 'Passer au suivant',
              Icon: IconPlayerTrackNext,
              may: isOnShelf,
              run: (one: Reservation) => passOn([one]),
              runAll: passOn,
            } satisfies RowAction<Reservation>,
          ]
        : []),
      {
        key: 'slip',
        label: 'Imprimer le bulletin',
        Icon: IconPrinter,
        run: (one: Reservation) => printSlips([slipOf(one)]),
        runAll: (several: readonly Reservation[]) => printSlips(several.map(slipOf)),
        labelOfAll: 'Imprimer les bulletins',
      } satisfies RowAction<Reservation>,
      ...decisions.filter(({ key }) => !['lend', 'confirm', 'remove'].includes(key)),
    ],
    [decisions, mayChange, mayTransfer, passOn, sendEach],
  )
  const columns = useMemo(() => columnsOn(today), [today])
  const filters = useMemo(
    () => [
      readerFilter,
      titleFilter,
      choice('pickup_until|lte', 'Retrait', [
        { value: '', label: 'Tous' },
        { value: plusDays(today, -1), label: 'Non retirés à temps' },
      ]),
      days('pickup_until', 'À retirer jusqu’au'),
    ],
    [today],
  )
  return (
    <ListScreen
      endpoint={reservations.list}
      title="À retirer"
      noun={nounOf('exemplaire mis de côté', 'm', 'exemplaires mis de côté')}
      about={<ReservationTabs value="set-aside" />}
      exported={exportReservations}
      only={setAside}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={reservationName}
      rowActions={actions}
      rowTone={(one) => (isLate(one, today) ? 'bad' : undefined)}
      underWay={underWay ?? sending}
    >
      {dialog}
    </ListScreen>
  )
}

const setAside = { 'set_aside|eq': '1' }

/** On a shelf, of another site than the one where it is fetched: it waits to be sent there. */
const isElsewhere = ({ set_aside_status, set_aside_site, site }: Reservation): boolean =>
  set_aside_status === 'Disponible' && site !== null && set_aside_site !== site

const isOnShelf = (one: Reservation): boolean => one.set_aside_status === 'Disponible' && !isElsewhere(one)

const toItsSite = (several: readonly Reservation[]) =>
  several.flatMap(({ set_aside_copy, set_aside_barcode, site }) =>
    set_aside_copy === null || site === null
      ? []
      : [{ id: set_aside_copy, bar_code: set_aside_barcode ?? '', to: site }],
  )

const isLate = ({ pickup_until }: Reservation, today: string): boolean =>
  pickup_until !== null && pickup_until < today

/** Until when it waits; where it is if that is not the shelf of those that wait. */
function Until({ of, today }: { of: Reservation; today: string }) {
  const { pickup_until, set_aside_status } = of
  switch (set_aside_status) {
    case 'En transfert':
      return <StatusTag tone="wait">{inWords('En transfert')}</StatusTag>
    case 'En Location':
      return <StatusTag tone="bad">{inWords('En prêt')}</StatusTag>
    case 'Non Disponible':
      return <StatusTag tone="bad">Non Disponible</StatusTag>
    case 'Disponible':
    case null:
      break
  }
  if (isElsewhere(of)) {
    return (
      <StatusTag tone="warn" of={`${of.set_aside_site_name ?? ''} → ${of.site_name ?? ''}`}>
        À transférer
      </StatusTag>
    )
  }
  if (pickup_until === null) return null
  if (!isLate(of, today)) return frenchDay(pickup_until)
  return (
    <StatusTag tone="bad" of="Non retiré à temps">
      {frenchDay(pickup_until)}
    </StatusTag>
  )
}

const columnsOn = (today: string): readonly Column<Reservation>[] => [
  {
    key: 'beneficiary',
    title: 'Lecteur',
    order: 'beneficiary_lastname',
    role: 'main',
    cell: ({ beneficiary_name }) => <ReaderName name={beneficiary_name} />,
  },
  {
    key: 'reference',
    title: 'Référence',
    order: 'reference_name',
    role: 'lasting',
    width: 16,
    cell: ({ reference_id, reference_name }) => (
      <DetailLink to={addressOfReference(reference_id)}>{reference_name}</DetailLink>
    ),
  },
  {
    key: 'set_aside',
    title: 'Code-barres',
    width: 9.5,
    cell: ({ set_aside_barcode }) => set_aside_barcode,
  },
  {
    key: 'set_aside_at',
    title: 'Mis de côté le',
    role: 'day',
    width: 9,
    cell: ({ set_aside_at }) => (set_aside_at === null ? '' : frenchInstant(set_aside_at)),
  },
  {
    key: 'until',
    title: 'À retirer jusqu’au',
    order: 'pickup_until',
    role: 'lasting',
    width: 9.5,
    cell: (one) => <Until of={one} today={today} />,
  },
  { key: 'site', title: 'Site', role: 'extra', width: 8, cell: ({ site_name }) => site_name ?? '' },
]
