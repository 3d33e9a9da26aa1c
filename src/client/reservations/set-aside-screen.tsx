import { useCallbackRef } from '@mantine/hooks'
import { IconPlayerTrackNext, IconPrinter, IconTruck } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Navigate, useSearchParams } from 'react-router-dom'

import type { AnswerOf } from '../../contract/endpoint.ts'
import {
  exportReservations,
  getNextReader,
  passReservation,
  type Reservation,
  reservations,
} from '../../contract/reservations.ts'
import { frenchDay, plusDays } from '../../domain/calendar-day.ts'
import { call } from '../api/call.ts'
import { useEachChange } from '../api/queries.ts'
import { useRight } from '../api/session.ts'
import { isNamed } from '../../domain/person-names.ts'
import { addressOfReference } from '../catalogue/reference-data.ts'
import { useCopiesAtOnce } from '../catalogue/use-copies-at-once.ts'
import { sentenceOf } from '../loans/loan-errors.ts'
import { readerFilter, titleFilter } from '../loans/loan-filters.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { say } from '../page/messages.ts'
import { isElsewhere, isOnShelf } from '../queue/open-reservations.ts'
import type { UnderWay } from '../ui/lists/bulk-bar.tsx'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { Initials } from '../ui/cover.tsx'
import { DetailLink } from '../ui/lists/detail-link.tsx'
import { choice, days } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import { ReaderName } from '../ui/reader-name.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted, frenchInstant } from '../ui/words.ts'
import { printSlips, slipOf } from './print-slip.tsx'
import { ReservationTabs } from './reservation-tabs.tsx'
import { reservationName } from './reservation-words.ts'
import { useReservationActions } from './use-reservation-actions.tsx'

/** How many are told one by one; more are counted. */
const mostTold = 3

/** What nobody fetched goes to whoever comes next, or back to its shelf. */
function usePassOn(onNext: (next: Reservation) => unknown) {
  const confirm = useConfirm()
  const { changeEach, progress, stop } = useEachChange(passReservation)
  const passOn = useCallbackRef(async (several: readonly Reservation[]) => {
    const [only] = several.length === 1 ? several : []
    const next = only ? await nextOf(only) : null
    const isSure = await confirm({
      title: only
        ? 'Passer au suivant'
        : `Passer au suivant\u202f: ${counted(several.length, 'exemplaire', 'exemplaires')}`,
      message: only
        ? `${reservationName(only)}\u202f: la réservation est annulée («\u00a0Non retirée.\u00a0»), et l’exemplaire ${next}.`
        : 'Ces réservations sont annulées («\u00a0Non retirée.\u00a0»), et chaque exemplaire est mis de côté pour la personne suivante, s’il y en a une.',
      acts: 'destroys',
    })
    if (!isSure) return
    const results = await changeEach(several.map(({ id }) => ({ params: { id }, body: {} })))
    const passed = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    tellPassed(passed)
    for (const { next } of passed) if (next) onNext(next)
    for (const [at, one] of results.entries()) {
      if (one.status === 'rejected') {
        say(sentenceOf(one.reason), 'bad', { about: several[at]?.reference_name })
      }
    }
    const left = several.length - results.length
    if (left > 0) say(`Arrêté\u202f: ${counted(left, 'exemplaire', 'exemplaires')} sans changement.`, 'warn')
  })
  const underWay: UnderWay | null =
    progress && progress.total > 1 ? { title: 'Passage au suivant', progress, stop } : null
  return { passOn, underWay }
}

/** What becomes of the copy; where that cannot be asked, the question is asked all the same. */
const nextOf = ({ id }: Reservation): Promise<string> =>
  call(getNextReader, { params: { id } }).then(
    ({ beneficiary_name }) =>
      beneficiary_name === null
        ? 'retourne en rayon\u202f: personne d’autre ne l’attend'
        : `est mis de côté pour ${beneficiary_name}`,
    () => 'est mis de côté pour la personne suivante, s’il y en a une',
  )

function tellPassed(passed: readonly AnswerOf<typeof passReservation>[]): void {
  if (passed.length <= mostTold) {
    for (const { passed: before, next } of passed) {
      const where = next && next.site !== before.site ? `, à retirer à ${next.site_name}` : ''
      if (next)
        say(`Mis de côté pour ${next.beneficiary_name}${where}.`, 'good', { about: next.reference_name })
      else
        say('Personne d’autre n’attend\u202f: à remettre en rayon.', 'good', { about: before.reference_name })
    }
    return
  }
  const next = passed.filter((one) => one.next !== null).length
  const back = passed.length - next
  const words = [
    ...(next > 0 ? [`${counted(next, 'exemplaire', 'exemplaires')} pour la personne suivante`] : []),
    ...(back > 0 ? [`${counted(back, 'exemplaire', 'exemplaires')} à remettre en rayon`] : []),
  ]
  say(`${words.join(', ')}.`)
}

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
    face: ({ beneficiary_name }) => <Initials name={isNamed(beneficiary_name) ? beneficiary_name : ''} />,
    cell: ({ beneficiary_name }) => <ReaderName name={beneficiary_name} />,
  },
  {
    key: 'reference',
    title: 'Référence',
    phone: 'who',
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
    phone: 'who',
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
    phone: 'when',
    order: 'pickup_until',
    role: 'lasting',
    width: 9.5,
    cell: (one) => <Until of={one} today={today} />,
  },
  { key: 'site', title: 'Site', role: 'extra', width: 8, cell: ({ site_name }) => site_name ?? '' },
]
