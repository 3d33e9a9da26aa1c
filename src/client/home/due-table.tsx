import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router-dom'

import { daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { ReaderName } from '../ui/reader-name.tsx'
import { useMediumName } from '../catalogue/known-media.ts'
import { categoryFilter, mediumFilter, readerFilter, titleFilter } from '../loans/loan-filters.ts'
import { useToday } from '../loans/use-today.ts'
import { Cover } from '../ui/cover.tsx'
import { Filters } from '../ui/lists/filter-bar.tsx'
import { days } from '../ui/lists/filters.tsx'
import { Pager } from '../ui/lists/pager.tsx'
import { type Column, ResourceTable } from '../ui/lists/resource-table.tsx'
import { StatusTag, type Tone } from '../ui/status-tag.tsx'
import { ago, counted } from '../ui/words.ts'
import { stateWords } from '../outbox/entry-words.ts'
import { kindOf } from '../outbox/outbox-entries.ts'
import type { Entry } from '../../offline/entry.ts'
import { useSnapshotState } from '../outbox/counter-work.ts'
import { type DueRow, useDueList } from './due-data.ts'
import { type DueKind, useDueAddress } from './due-lists.ts'
import { AskedPenaltyProvider, PenaltyOfRow, useDueActions } from './due-row-actions.tsx'
import styles from './home.module.css'
import { inWords } from '../page/house-words.ts'

type DueTableProps = {
  kind: DueKind
  title: string
  empty: string
  actions?: ReactNode
  isTitled: boolean
  /** `narrow` shows what, who and how late. */
  layout: 'wide' | 'narrow'
}

export function DueTable({ kind, title, empty, actions, isTitled, layout }: DueTableProps) {
  const today = useToday()
  const address = useDueAddress(kind)
  const { data, rows, error, refetch, isPlaceholderData } = useDueList(kind, address.list, today)
  const mediumName = useMediumName()
  const columns = useMemo(
    () => (layout === 'narrow' ? narrowColumns : columnsOf)({ kind, today, mediumName }),
    [kind, today, layout, mediumName],
  )
  const { actions: rowActions, dialog, asked } = useDueActions()
  const known = useSnapshotState()
  const isFiltered = Object.keys(address.values).length > 0
  // Pages are offered only where there are several.
  const isPaged = address.list.page > 1 || (data?.total ?? 0) > address.list.limit
  return (
    <>
      <Group justify="space-between" gap="sm">
        {isTitled ? (
          <Title order={2} size="h3">
            {title}
          </Title>
        ) : null}
        <Group gap="sm" align="start" flex={isTitled ? undefined : 1}>
          <Filters filters={filters} address={address} isFolded />
          {actions}
        </Group>
      </Group>
      {data?.isFromDevice ? (
        <Text c="dimmed" size="sm">
          Hors ligne&#8239;: liste de cet appareil
          {known?.refreshed_at ? `, données ${ago(known.refreshed_at)}` : ''}
          {inWords('. Les catégories n’y sont pas connues.')}
        </Text>
      ) : null}
      <AskedPenaltyProvider value={asked}>
        <ResourceTable
          label={title}
          columns={columns}
          rows={rows}
          rowKey={({ held }) => held.loan_id ?? held.bar_code}
          rowTone={({ returning }) => (returning ? 'wait' : kind === 'late' ? 'bad' : undefined)}
          nameOf={({ held }) => held.title}
          actions={rowActions}
          address={address}
          error={error}
          onRetry={refetch}
          isStale={isPlaceholderData}
          total={data?.total}
          empty={isFiltered ? 'Aucun prêt ne correspond à ces filtres.' : empty}
          skeletonRows={4}
        />
      </AskedPenaltyProvider>
      {dialog}
      {data && isPaged ? (
        <Pager of={title} address={address} total={data.total} one="prêt" many="prêts" />
      ) : null}
      {data && !isPaged && data.total > 0 ? (
        <Text c="dimmed" size="sm" role="status">
          {counted(data.total, 'prêt', 'prêts')}
        </Text>
      ) : null}
    </>
  )
}

const filters = [
  readerFilter,
  titleFilter,
  categoryFilter,
  mediumFilter,
  days('start_date', 'Début', 'from'),
  days('end_date', 'Retour prévu', 'until'),
]

type Facts = { kind: DueKind; today: string; mediumName: ReturnType<typeof useMediumName> }

const columnsOf = ({ kind, today, mediumName }: Facts): Column<DueRow>[] => [
  {
    key: 'reference',
    title: 'Article',
    order: 'reference_name',
    role: 'main',
    face: ({ held, loan }) => (
      <Cover title={held.title} medium={mediumName(held.medium)} image={loan?.image_path} />
    ),
    cell: ({ held }) => <Link to={`/loanings/view/${held.loan_id}`}>{held.title}</Link>,
    below: penaltyOf,
  },
  {
    key: 'beneficiary',
    title: 'Lecteur',
    order: 'beneficiary_lastname',
    width: 14,
    cell: ({ held }) => <ReaderName name={held.beneficiary_name} />,
  },
  {
    key: 'category',
    title: 'Catégorie',
    order: 'category',
    role: 'extra',
    width: 9,
    cell: ({ category }) => category,
  },
  {
    key: 'start',
    title: 'Début',
    order: 'start_date',
    role: 'extra',
    width: 7,
    cell: ({ held }) => frenchDay(held.start_date),
  },
  // Of what is due today it would be the same on every row.
  ...(kind === 'today'
    ? []
    : [
        {
          key: 'due',
          title: 'Retour prévu',
          order: 'end_date',
          width: 8.5,
          cell: ({ held }: DueRow) => frenchDay(held.end_date),
        },
      ]),
  {
    key: 'state',
    title: 'Statut',
    width: kind === 'late' ? 15 : 10,
    cell: (row) => <DueState row={row} kind={kind} today={today} />,
  },
]

const penaltyOf = ({ held }: DueRow) => <PenaltyOfRow held={held} />

const narrowColumns = ({ kind, today }: Facts): Column<DueRow>[] => [
  {
    key: 'reference',
    title: 'Article et lecteur',
    order: 'beneficiary_lastname',
    role: 'main',
    below: penaltyOf,
    cell: ({ held, loan, returning }) => (
      <>
        <Link to={`/loanings/view/${held.loan_id}`} className={styles['dueTitle'] ?? ''}>
          {held.title}
        </Link>
        <span className={styles['dueReader']}>
          <ReaderName name={held.beneficiary_name} />
          {returning
            ? ` · ${returnWords(returning).word}`
            : loan?.reminded_on
              ? ` · ${remindedWords(loan)}`
              : ''}
        </span>
      </>
    ),
  },
  ...(kind === 'late'
    ? [
        {
          key: 'state',
          title: 'Retard',
          order: 'end_date',
          width: 4.5,
          cell: ({ held }: DueRow) => `${frenchNumber(daysBetween(held.end_date, today))}\u00a0j`,
        },
      ]
    : []),
]

/** As every line of the counter that was refused. */
const returnWords = (entry: Entry): { word: string; tone: Tone } =>
  kindOf(entry) === 'refused'
    ? { word: 'Refusé', tone: 'bad' }
    : { word: inWords('Retour enregistré'), tone: stateWords[entry.state].tone }

/** « relancé le 22/11 » */
const remindedWords = (loan: DueRow['loan']): string | null =>
  loan?.reminded_on ? `relancé le ${frenchDay(loan.reminded_on).slice(0, 5)}` : null

/** Tags are for exceptions: that a loan is due today is the title of its table. */
function DueState({
  row: { held, loan, returning },
  kind,
  today,
}: {
  row: DueRow
  kind: DueKind
  today: string
}) {
  if (returning) {
    const { tone, word } = returnWords(returning)
    return <StatusTag tone={tone}>{word}</StatusTag>
  }
  const reminded = remindedWords(loan)
  return (
    <>
      {kind === 'late' ? (
        <StatusTag tone="bad">{`${counted(daysBetween(held.end_date, today), 'jour', 'jours')} de retard`}</StatusTag>
      ) : null}
      {reminded ? (
        <Text span size="xs" c="dimmed" ms={kind === 'late' ? 'xs' : 0}>
          {reminded}
        </Text>
      ) : null}
    </>
  )
}
