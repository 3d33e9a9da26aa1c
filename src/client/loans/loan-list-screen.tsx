import { Button, MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconMail } from '@tabler/icons-react'
import { Link } from 'react-router-dom'

import { loanList } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { useRight } from '../session/session.ts'
import { FilterBar } from '../ui/filter-bar.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { type Column, ResourceTable } from '../ui/resource-table.tsx'
import { type ListAddress, useListAddress } from '../ui/use-list-address.ts'
import { loanListQuery } from './loan-data.ts'
import { DayFilter, LoanFilters } from './loan-filters.tsx'
import { LoanRowActions } from './loan-row-actions.tsx'
import { type LoanRow, useLoanRows } from './loan-rows.ts'
import { RowTag } from './loan-tags.tsx'
import { useRecap } from './use-mass-mail.tsx'

/** Loans: in progress unless asked otherwise, the newest first (file 1, « Loans list »). */
export default function LoanListScreen() {
  const address = useListAddress(loanList, { cycle: 'asc-first', defaults: { 'status|in': 'in_progress' } })
  const { data, error, refetch, isPlaceholderData } = useQuery(loanListQuery(address.list))
  const rows = useLoanRows(data?.['hydra:member'], isFirstView(address))
  const statuses = address.values['status|in']?.split(',') ?? []
  const maySend = useRight('SEND_MAIL')
  const recap = useRecap()

  return (
    <Page
      title="Prêts"
      actions={
        maySend ? (
          <Button
            variant="default"
            leftSection={<IconMail size="1.2em" aria-hidden />}
            loading={recap.isPending}
            onClick={recap.ask}
          >
            Envoyer un récapitulatif
          </Button>
        ) : null
      }
    >
      <FilterBar address={address}>
        <MultiSelect
          label="Statut"
          data={statusChoices}
          value={statuses}
          placeholder={statuses.length === 0 ? 'Tous' : ''}
          onChange={(chosen) => address.setFilters({ 'status|in': chosen.join(',') })}
        />
        <Select
          label="Retard"
          data={lateChoices}
          value={address.values['islate|eq'] ?? ''}
          onChange={(late) => address.setFilters({ 'islate|eq': late ?? '' })}
          allowDeselect={false}
        />
        <LoanFilters address={address} />
        <DayFilter address={address} label="Début, du" name="start_date|gte" />
        <DayFilter address={address} label="Début, au" name="start_date|lte" />
        <DayFilter address={address} label="Retour, du" name="return_date|gte" />
        <DayFilter address={address} label="Retour, au" name="return_date|lte" />
      </FilterBar>
      <ResourceTable
        label="Prêts"
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        rowTone={({ loan, entry }) =>
          entry ? 'wait' : loan?.islate && loan.status === 'in_progress' ? 'bad' : undefined
        }
        actions={actionsOf}
        address={address}
        error={error}
        onRetry={() => void refetch()}
        isStale={isPlaceholderData}
        total={data?.['hydra:totalItems']}
        empty="Aucun prêt ne correspond à ces filtres."
        emptyAction={
          <Button variant="default" onClick={address.clearFilters}>
            Effacer les filtres
          </Button>
        }
      />
      <Pager address={address} total={data?.['hydra:totalItems']} one="prêt" many="prêts" />
    </Page>
  )
}

const statusChoices = [
  { value: 'in_progress', label: 'En cours' },
  { value: 'finished', label: 'Terminés' },
  { value: 'cancelled', label: 'Annulés' },
]

const lateChoices = [
  { value: '', label: 'Tous' },
  { value: '1', label: 'En retard' },
  { value: '0', label: 'À l’heure' },
]

/** Nothing chosen but the sort: the view that shows what waits in the outbox on top. */
const isFirstView = ({ list, values }: Pick<ListAddress, 'list' | 'values'>): boolean =>
  list.page === 1 &&
  Object.entries(values).every(([name, value]) => name === 'status|in' && value === 'in_progress')

const actionsOf = ({ loan, entry }: LoanRow) => (loan && !entry ? <LoanRowActions loan={loan} /> : null)

const day = (of: string | null | undefined) => (of ? frenchDay(of) : '')

const columns: readonly Column<LoanRow>[] = [
  {
    key: 'reference',
    title: 'Article',
    order: 'reference_name',
    role: 'main',
    cell: ({ loan, title }) => (loan ? <Link to={`/loanings/view/${loan.id}`}>{title}</Link> : title),
  },
  {
    key: 'beneficiary',
    title: 'Bénéficiaire',
    order: 'beneficiary_lastname',
    cell: ({ beneficiary }) => beneficiary,
  },
  {
    key: 'category',
    title: 'Catégorie',
    order: 'category',
    role: 'extra',
    cell: ({ loan }) => loan?.category ?? '',
  },
  {
    key: 'start',
    title: 'Début',
    order: 'start_date',
    role: 'extra',
    cell: ({ start_date }) => day(start_date),
  },
  { key: 'due', title: 'Retour prévu', order: 'end_date', cell: ({ end_date }) => day(end_date) },
  {
    key: 'returned',
    title: 'Rendu le',
    order: 'return_date',
    role: 'extra',
    cell: ({ loan }) => day(loan?.return_date),
  },
  { key: 'status', title: 'Statut', cell: (row) => <RowTag row={row} /> },
]
