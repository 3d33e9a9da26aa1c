import { Button, Group, Text, Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router-dom'

import { daysBetween, frenchDay } from '../../domain/calendar-day.ts'
import { DayFilter, LoanFilters } from '../loans/loan-filters.tsx'
import { useToday } from '../loans/use-today.ts'
import { FilterBar } from '../ui/filter-bar.tsx'
import { Pager } from '../ui/pager.tsx'
import { type Column, ResourceTable } from '../ui/resource-table.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { ago, counted } from '../ui/words.ts'
import { stateWords } from '../waiting/entry-words.ts'
import { useSnapshotState } from '../waiting/counter-work.ts'
import { type DueRow, useDueList } from './due-data.ts'
import { type DueKind, useDueAddress } from './due-lists.ts'
import { useDueActions } from './due-row-actions.tsx'

type DueTableProps = { kind: DueKind; title: string; empty: string; actions?: ReactNode; isTitled: boolean }

/** Loans due today, or late ones: filters, sort and page of their own. */
export function DueTable({ kind, title, empty, actions, isTitled }: DueTableProps) {
  const today = useToday()
  const address = useDueAddress(kind)
  const { data, rows, error, refetch, isPlaceholderData } = useDueList(kind, address.list, today)
  const columns = useMemo(() => columnsOf(kind, today), [kind, today])
  const { actionsOf, dialog } = useDueActions()
  const known = useSnapshotState()
  const isPhone = useMediaQuery('(max-width: 767px)', window.innerWidth < 768)
  const filters = Object.keys(address.values).length
  // A hundred rows hold a usual day: pages are offered where there are several.
  const isPaged = address.list.page > 1 || (data?.total ?? 0) > address.list.limit
  // Folded, so that the lists are near the counter; open where the address brings filters along.
  const [isFiltering, setFiltering] = useState(filters > 0)
  return (
    <>
      <Group justify="space-between" gap="sm">
        {isTitled ? (
          <Title order={2} size="h3">
            {title}
          </Title>
        ) : null}
        <Group gap="sm">
          {isPhone ? null : (
            <Button
              variant="default"
              leftSection={<IconFilter size="1.2em" aria-hidden />}
              aria-expanded={isFiltering}
              onClick={() => setFiltering((shown) => !shown)}
            >
              {filters === 0 ? 'Filtrer' : `Filtrer (${filters})`}
            </Button>
          )}
          {actions}
        </Group>
      </Group>
      {data?.isFromDevice ? (
        <Text c="dimmed" size="sm">
          Hors ligne&#8239;: liste de cet appareil
          {known?.refreshed_at ? `, données ${ago(known.refreshed_at)}` : ''}. Les catégories n’y sont pas
          connues.
        </Text>
      ) : null}
      {isPhone || isFiltering ? (
        <FilterBar address={address}>
          <LoanFilters address={address} />
          <DayFilter address={address} label="Début, à partir du" name="start_date|gte" />
          <DayFilter address={address} label="Retour prévu, jusqu’au" name="end_date|lte" />
        </FilterBar>
      ) : null}
      <ResourceTable
        label={title}
        columns={columns}
        rows={rows}
        rowKey={({ held }) => held.loan_id ?? held.bar_code}
        rowTone={({ returning }) => (returning ? 'wait' : kind === 'late' ? 'bad' : undefined)}
        actions={actionsOf}
        address={address}
        error={error}
        onRetry={() => void refetch()}
        isStale={isPlaceholderData}
        total={data?.total}
        empty={filters === 0 ? empty : 'Aucun prêt ne correspond à ces filtres.'}
        skeletonRows={4}
      />
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

const columnsOf = (kind: DueKind, today: string): Column<DueRow>[] => [
  {
    key: 'reference',
    title: 'Article',
    order: 'reference_name',
    role: 'main',
    cell: ({ held }) => <Link to={`/loanings/view/${held.loan_id}`}>{held.title}</Link>,
  },
  {
    key: 'beneficiary',
    title: 'Bénéficiaire',
    order: 'beneficiary_lastname',
    cell: ({ held }) => held.beneficiary_info,
  },
  { key: 'category', title: 'Catégorie', order: 'category', role: 'extra', cell: ({ category }) => category },
  {
    key: 'start',
    title: 'Début',
    order: 'start_date',
    role: 'extra',
    cell: ({ held }) => frenchDay(held.start_date),
  },
  { key: 'due', title: 'Retour prévu', order: 'end_date', cell: ({ held }) => frenchDay(held.end_date) },
  {
    key: 'state',
    title: 'Statut',
    cell: (row) => <DueState row={row} kind={kind} today={today} />,
  },
]

function DueState({ row: { held, returning }, kind, today }: { row: DueRow; kind: DueKind; today: string }) {
  if (returning) {
    const { tone, word } = stateWords[returning.state]
    return <StatusTag tone={tone}>{tone === 'bad' ? word : 'Retour enregistré'}</StatusTag>
  }
  if (kind === 'today') return <StatusTag tone="warn">Aujourd’hui</StatusTag>
  return (
    <StatusTag tone="bad">{`${counted(daysBetween(held.end_date, today), 'jour', 'jours')} de retard`}</StatusTag>
  )
}
