import { Text } from '@mantine/core'
import { useCallback, useMemo } from 'react'

import { exportLoans } from '../../contract/loan-exports.ts'
import { listLoans } from '../../contract/loans.ts'
import { viewedLists } from '../../contract/views.ts'
import { type CalendarDay, frenchDay } from '../../domain/calendar-day.ts'
import { ReaderName } from '../ui/reader-name.tsx'
import { useRight, useSession } from '../api/session.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { Cover } from '../ui/cover.tsx'
import { acts, useMayBegin } from '../ui/acts.ts'
import { useBegun } from '../ui/begun.ts'
import { DetailLink } from '../ui/lists/detail-link.tsx'
import { among, choice, chosenValues, days } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { PageAction } from '../ui/page-actions.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import { actionsOver } from '../ui/lists/row-actions.ts'
import type { ListAddress } from '../ui/lists/use-list-address.ts'
import type { ViewsOfList } from '../ui/lists/use-list-views.ts'
import { categoryFilter, mediumFilter, readerFilter, titleFilter } from './loan-filters.ts'
import { type LoanRow, useLoanRowsOf } from './loan-rows.ts'
import { tagOfRow } from './loan-tags.tsx'
import { useLoanActions } from './use-loan-actions.tsx'
import { MassMailProgress, useRecap, useReminders } from './use-mass-mail.tsx'
import { useToday } from './use-today.ts'
import { inWords } from '../page/house-words.ts'

/** Loans: in progress unless asked otherwise, the newest first. */
export default function LoanListScreen() {
  const today = useToday()
  const seesHistory = useRight('BENEFICIARY_HISTORY')
  const maySend = useRight('SEND_MAIL')
  const mayLend = useMayBegin(acts.lend)
  const isMultisite = useIsMultisite()
  const isOfAllSites = useSession()?.site?.id === 0 && isMultisite
  const { actions, underWay, dialog } = useLoanActions({ cancelsToday: true })
  const rowActions = useMemo(
    () => actionsOver(actions, ({ loan, entry }: LoanRow) => (entry ? null : loan)),
    [actions],
  )
  const columns = useCallback((values: ListAddress['values']) => columnsOf(values, today), [today])
  return (
    <ListScreen
      endpoint={listLoans}
      title="Prêts"
      noun={nounOf('prêt', 'm')}
      about={
        <>
          {seesHistory ? null : (
            <Text c="dimmed">{inWords('Vous voyez les prêts en cours et ceux rendus aujourd’hui.')}</Text>
          )}
          {maySend ? (
            <>
              <MassMailProgress kind="mail.reminders" title={inWords('Relances')} />
              <MassMailProgress kind="mail.recap" title={inWords('Récapitulatif des prêts')} />
            </>
          ) : null}
        </>
      }
      exported={exportLoans}
      pageActions={useMassMails()}
      whenEmpty={mayLend ? [acts.lend] : []}
      defaults={inProgress}
      savedAs="loanings"
      views={viewsOf(today)}
      filters={isOfAllSites ? [...filters, siteFilter] : filters}
      columns={columns}
      rowsOf={useLoanRowsOf()}
      rowKey={({ key }) => key}
      rowName={({ title }) => title}
      rowActions={rowActions}
      underWay={underWay}
      detailOf={detailOf}
      rowTone={({ loan, entry }) =>
        entry ? 'wait' : loan?.islate && loan.status === 'in_progress' ? 'bad' : undefined
      }
    >
      {dialog}
    </ListScreen>
  )
}

/** A recap of their loans to everyone who has some; the search has whoever is late reminded from here too. */
function useMassMails(): readonly PageAction[] {
  const { ask, isPending } = useRecap()
  const reminders = useReminders()
  useBegun('sendRecap', ask)
  useBegun('remindLate', reminders.ask)
  const { label, Icon } = acts.sendRecap
  return useMayBegin(acts.sendRecap) ? [{ label, Icon, onRun: ask, isLoading: isPending }] : []
}

const detailOf = ({ loan }: LoanRow) => loan && `/loanings/view/${loan.id}`

const inProgress = { 'status|in': 'in_progress' }

/** The list as people look at it first. */
const viewsOf = (today: CalendarDay): ViewsOfList => ({
  list: 'loanings',
  fixed: [
    {
      key: 'in-progress',
      name: 'En cours',
      filters: inProgress,
      isCounted: true,
      empty: 'Aucun prêt n’est en cours.',
    },
    { key: 'late', name: 'En retard', filters: { ...inProgress, 'islate|eq': '1' }, isCounted: true },
    {
      key: 'returned-today',
      name: 'Rendus aujourd’hui',
      filters: { 'status|in': 'finished', 'return_date|gte': today, 'return_date|lte': today },
    },
  ],
})

const siteFilter = among('site|in', 'Site', enabledSitesQuery)
const filters = [
  readerFilter,
  among('status|in', 'Statut', [
    { value: 'in_progress', label: 'En cours' },
    { value: 'finished', label: 'Terminés' },
    { value: 'cancelled', label: 'Annulés' },
  ]),
  titleFilter,
  choice('islate|eq', 'Retard', [
    { value: '', label: 'Tous' },
    { value: '1', label: 'En retard' },
    { value: '0', label: 'À l’heure' },
  ]),
  categoryFilter,
  mediumFilter,
  days('start_date', 'Début'),
  days('end_date', 'Retour prévu'),
  days('return_date', 'Retour'),
]

const day = (of: string | null | undefined) => (of ? frenchDay(of) : '')

/** What heads a row stays in sight; the others are those that views know. */
type LoanColumn = Column<LoanRow> &
  ({ key: 'reference'; role: 'main' } | { key: (typeof viewedLists.loanings.columns)[number] })

const lastWord = { phone: 'when' } as const

/** What every loan of the view has in common is no column of it. */
function columnsOf(values: ListAddress['values'], today: CalendarDay): readonly LoanColumn[] {
  const statuses = chosenValues(values['status|in'])
  const mayBeReturned = statuses.length === 0 || statuses.includes('finished')
  const areReturned = statuses.length === 1 && mayBeReturned
  return [
    {
      key: 'reference',
      title: 'Article',
      order: 'reference_name',
      role: 'main',
      // A category that is read whole tells more than a title in one line.
      ample: 14,
      face: ({ title, loan }) => (
        <Cover title={title} medium={loan?.medium ?? null} image={loan?.image_path} />
      ),
      cell: (row) => {
        const address = detailOf(row)
        return address ? <DetailLink to={address}>{row.title}</DetailLink> : row.title
      },
    },
    {
      key: 'beneficiary',
      title: 'Lecteur',
      phone: 'who',
      order: 'beneficiary_lastname',
      width: 14.25,
      least: 6,
      cell: ({ beneficiary }) => <ReaderName name={beneficiary} />,
    },
    {
      key: 'category',
      title: 'Catégorie',
      order: 'category',
      role: 'extra',
      width: 14,
      cell: ({ loan }) => loan?.category ?? '',
    },
    {
      key: 'start',
      title: 'Début',
      order: 'start_date',
      role: 'extra',
      width: 6.75,
      cell: ({ start_date }) => day(start_date),
    },
    {
      key: 'due',
      title: 'Retour prévu',
      ...(areReturned ? {} : lastWord),
      order: 'end_date',
      role: 'lasting',
      width: 8,
      cell: ({ end_date }) => day(end_date),
    },
    ...(mayBeReturned
      ? [
          {
            key: 'returned',
            title: 'Rendu le',
            ...(areReturned ? lastWord : {}),
            order: 'return_date',
            role: 'extra',
            width: 6.75,
            cell: ({ loan }: LoanRow) => day(loan?.return_date),
          } as const,
        ]
      : []),
    {
      key: 'status',
      title: 'Statut',
      phone: 'state',
      sparse: true,
      width: statuses.length === 1 ? 8.75 : 10,
      cell: (row) => tagOfRow(row, today, statuses.length === 1),
    },
  ]
}
